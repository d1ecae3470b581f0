package main

import (
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

const (
	gatewayRoleCreate   = "create"
	gatewayRoleExisting = "existing"
)

var (
	stageName   = regexp.MustCompile(`^[a-z][a-z0-9-]{0,19}$`)
	accountID   = regexp.MustCompile(`^[0-9]{12}$`)
	regionName  = regexp.MustCompile(`^[a-z]{2}(-[a-z]+)+-[0-9]$`)
	domainName  = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$`)
	settingName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	loopback    = regexp.MustCompile(`^http://(127\.0\.0\.1|localhost):[0-9]{1,5}$`)
	certificate = arnPattern("acm", `certificate/[A-Za-z0-9-]+`)
	// The six characters that Secrets Manager appends belong to the ARN: a shorter one would need a wildcard.
	secretARN = arnPattern("secretsmanager", `secret:[A-Za-z0-9/_+=.@-]+-[A-Za-z0-9]{6}`)
	apnsARN   = arnPattern("sns", `app/APNS(_SANDBOX)?/[A-Za-z0-9_.-]+`)
	fcmARN    = arnPattern("sns", `app/GCM/[A-Za-z0-9_.-]+`)
)

func arnPattern(service, resource string) *regexp.Regexp {
	return regexp.MustCompile(`^arn:aws[a-z-]*:` + service + `:[a-z0-9-]+:[0-9]{12}:` + resource + `$`)
}

// Check tells every value that cannot work, each with the field's name.
func (c Config) Check() error {
	var faults faults
	faults.match("stage", c.Stage, stageName)
	faults.matchIfAny("account", c.Account, accountID)
	faults.matchIfAny("region", c.Region, regionName)
	faults.matchIfAny("emulator", c.Emulator, loopback)
	if c.Emulator != "" && !c.Throwaway {
		faults.addf("emulator", "an emulator keeps nothing: the stage has to be a throwaway one")
	}
	faults.known("architecture", c.Architecture, sortedKeys(architectures))
	faults.known("gateway_log_role", c.GatewayLogRole, []string{gatewayRoleCreate, gatewayRoleExisting})
	if _, ok := retentions[c.LogDays]; !ok {
		faults.addf("log_days", "CloudWatch keeps logs for 1, 3, 5, 7, 14, 30, 60, 90, 180, 365 or 731 days, and not for %d", c.LogDays)
	}
	if c.Site != "" {
		faults.https("site", c.Site)
	}
	if c.Issuer != "" {
		faults.https("issuer", c.Issuer)
	}
	if (c.Issuer != "") != (len(c.IssuerAudience) > 0) {
		faults.addf("issuer_audience", "an issuer's tokens are accepted for the clients that are named here, and for no others")
	}
	for i, origin := range c.CORS {
		faults.origin(fmt.Sprintf("cors_origins[%d]", i), origin)
	}
	if c.AlarmEmail != "" {
		faults.address("alarm_email", c.AlarmEmail)
	}
	c.Domain.check(&faults)
	c.Mail.check(&faults)
	c.Push.check(&faults)
	c.Mobile.check(&faults)
	c.checkRegions(&faults)
	c.checkConcurrency(&faults)
	return errors.Join(faults...)
}

// checkRegions refuses what is configured in another region than the stage's: functions look for it in their own.
func (c Config) checkRegions(faults *faults) {
	if c.Region == "" {
		return
	}
	arns := c.arns()
	for _, field := range sortedKeys(arns) {
		// arn:partition:service:region:account:resource
		if parts := strings.Split(arns[field], ":"); len(parts) > 3 && parts[3] != c.Region {
			faults.addf(field, "is in %s, and the stage in %s", parts[3], c.Region)
		}
	}
}

// arns are all that the configuration names, by their fields.
func (c Config) arns() map[string]string {
	arns := map[string]string{}
	if c.Domain != nil {
		arns["domain.certificate_arn"] = c.Domain.Certificate
	}
	if c.Push != nil {
		arns["push.private_key_secret_arn"] = c.Push.PrivateSecret
	}
	if c.Mobile != nil {
		arns["mobile.apns_arn"], arns["mobile.fcm_arn"] = c.Mobile.APNS, c.Mobile.FCM
	}
	return arns
}

func (c Config) checkConcurrency(faults *faults) {
	for _, name := range sortedKeys(c.Concurrency) {
		if !slices.ContainsFunc(functionSpecs, func(f functionSpec) bool { return f.name == name }) {
			faults.addf("concurrency."+name, "there is no such function")
		}
		if c.Concurrency[name] < 0 {
			faults.addf("concurrency."+name, "%d is below 0", c.Concurrency[name])
		}
	}
}

func (d *Domain) check(faults *faults) {
	if d == nil {
		return
	}
	faults.match("domain.name", d.Name, domainName)
	faults.matchIfAny("domain.live", d.Live, domainName)
	faults.match("domain.certificate_arn", d.Certificate, certificate)
	if d.Live == d.Name {
		faults.addf("domain.live", "the WebSocket API needs another name than the HTTP API")
	}
}

func (m *Mail) check(faults *faults) {
	if m == nil {
		return
	}
	_, addressErr := mail.ParseAddress(m.Identity)
	if addressErr != nil && !domainName.MatchString(m.Identity) {
		faults.addf("mail.identity", "%q is neither a domain nor an address", m.Identity)
	}
	faults.matchIfAny("mail.configuration_set", m.Configuration, settingName)
	from, ok := faults.address("mail.from", m.From)
	if !ok {
		return
	}
	domain := from[strings.LastIndexByte(from, '@')+1:]
	if from != m.Identity && domain != m.Identity && !strings.HasSuffix(domain, "."+m.Identity) {
		faults.addf("mail.from", "%q is no address of the identity %q", from, m.Identity)
	}
}

func (p *Push) check(faults *faults) {
	if p == nil {
		return
	}
	// A push service writes to the subject when something goes wrong; some refuse keys without one.
	if address, isMail := strings.CutPrefix(p.Subject, "mailto:"); isMail {
		faults.address("push.subject", address)
	} else {
		faults.https("push.subject", p.Subject)
	}
	key, err := base64.RawURLEncoding.DecodeString(p.PublicKey)
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(key)
	}
	if err != nil {
		faults.addf("push.public_key", "is no point of P-256 in unpadded URL-safe base64: %v", err)
	}
	faults.match("push.private_key_secret_arn", p.PrivateSecret, secretARN)
}

func (m *Mobile) check(faults *faults) {
	if m == nil {
		return
	}
	faults.matchIfAny("mobile.apns_arn", m.APNS, apnsARN)
	faults.matchIfAny("mobile.fcm_arn", m.FCM, fcmARN)
	if m.APNS == "" && m.FCM == "" {
		faults.addf("mobile", "names neither apns_arn nor fcm_arn")
	}
}

// arns lists the platform applications that are configured.
func (m *Mobile) arns() []string {
	if m == nil {
		return nil
	}
	return slices.DeleteFunc([]string{m.APNS, m.FCM}, func(arn string) bool { return arn == "" })
}

// faults are what is wrong with a configuration: all of it, so that one reading mends it.
type faults []error

func (f *faults) addf(field, format string, args ...any) {
	*f = append(*f, fmt.Errorf(field+": "+format, args...))
}

func (f *faults) match(field, value string, pattern *regexp.Regexp) {
	if !pattern.MatchString(value) {
		f.addf(field, "%q is to match %s", value, pattern)
	}
}

func (f *faults) matchIfAny(field, value string, pattern *regexp.Regexp) {
	if value != "" {
		f.match(field, value, pattern)
	}
}

func (f *faults) known(field, value string, values []string) {
	if !slices.Contains(values, value) {
		f.addf(field, "%q is none of %s", value, strings.Join(values, ", "))
	}
}

func (f *faults) address(field, value string) (string, bool) {
	address, err := mail.ParseAddress(value)
	if err != nil {
		f.addf(field, "%q is no mail address", value)
		return "", false
	}
	return address.Address, true
}

// https refuses what is no plain base URL: a query, a fragment or credentials would end up in links and logs.
func (f *faults) https(field, value string) {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		f.addf(field, "%q is no plain https URL", value)
	}
}

// origin also takes plain http on this machine, where pages are developed. An origin is scheme, host and port, no more.
func (f *faults) origin(field, value string) {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || value != u.Scheme+"://"+u.Host {
		f.addf(field, "%q is no origin, such as https://play.example.org", value)
		return
	}
	if u.Scheme != "https" && (u.Scheme != "http" || u.Hostname() != "localhost") {
		f.addf(field, "%q is neither https nor http://localhost", value)
	}
}
