package main

import (
	"strings"

	"github.com/aws/jsii-runtime-go"
)

// environment is what every function finds in its environment, by the function's name. Secrets are named there, not told.
type environment map[string]map[string]*string

// addresses are what functions are told of each other's whereabouts.
type addresses struct{ table, keyring, site, live string }

// variables is a set of environment variables, for the functions that need it.
type variables struct {
	readers []string
	values  map[string]string
}

func newEnvironment(config Config, at addresses) environment {
	env := environment{}
	for _, set := range variableSets(config, at) {
		for _, name := range set.readers {
			if env[name] == nil {
				env[name] = map[string]*string{}
			}
			for key, value := range set.values {
				// What is not configured is not there, rather than empty.
				if value != "" {
					env[name][key] = jsii.String(value)
				}
			}
		}
	}
	return env
}

func variableSets(config Config, at addresses) []variables {
	all := []string{httpName, socketName, streamName, notifyName, clockName}
	tellers := []string{notifyName, clockName}
	sets := []variables{
		{all, map[string]string{
			"BOULEVARD_STAGE": config.Stage, "BOULEVARD_TABLE": at.table,
			"BOULEVARD_SECRET_ID": at.keyring, "BOULEVARD_SITE": at.site,
		}},
		{[]string{socketName, streamName, notifyName, clockName}, map[string]string{"BOULEVARD_LIVE_ENDPOINT": at.live}},
		{[]string{httpName}, map[string]string{
			"BOULEVARD_CHANNELS": strings.Join(config.Channels(), ","),
		}},
	}
	if mail := config.Mail; mail != nil {
		sets = append(sets, variables{tellers, map[string]string{
			"BOULEVARD_MAIL_FROM": mail.From, "BOULEVARD_MAIL_CONFIGURATION": mail.Configuration,
		}})
	}
	if push := config.Push; push != nil {
		sets = append(sets,
			variables{[]string{httpName, notifyName, clockName}, map[string]string{"BOULEVARD_PUSH_KEY": push.PublicKey}},
			variables{tellers, map[string]string{
				"BOULEVARD_PUSH_SUBJECT": push.Subject, "BOULEVARD_PUSH_SECRET_ID": push.PrivateSecret,
			}})
	}
	if mobile := config.Mobile; mobile != nil {
		sets = append(sets, variables{tellers, map[string]string{
			"BOULEVARD_APNS": mobile.APNS, "BOULEVARD_FCM": mobile.FCM,
		}})
	}
	return sets
}
