package main

import (
	"fmt"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// throttle is how many requests a route takes in a second, and how many at once after a pause.
type throttle struct{ rate, burst float64 }

var (
	defaultThrottle = throttle{rate: 200, burst: 400}
	// throttles of the operations that make something out of nothing, or have a stranger's server called.
	throttles = map[string]throttle{
		"createGuest":    {rate: 5, burst: 20},
		"refreshTokens":  {rate: 20, burst: 100},
		"signIn":         {rate: 5, burst: 20},
		"createGame":     {rate: 20, burst: 40},
		"invite":         {rate: 20, burst: 40},
		"addChannel":     {rate: 5, burst: 10},
		"confirmChannel": {rate: 5, burst: 10},
		"testChannel":    {rate: 1, burst: 5},
	}
)

// accessLog is what is kept of a request: which route, but not the path, as some paths are permissions; no query, header
// or body.
var accessLog = logFormat("requestId", "requestTime", "routeKey", "status", "responseLength", "responseLatency",
	"integrationLatency", "integrationErrorMessage", "identity.sourceIp", "error.responseType")

// preflightAge is how long a browser may remember what it may do, in seconds.
const preflightAge = 3600

// httpAPI is the HTTP API. It is made before its routes are: functions need its URL, and the routes need a function.
type httpAPI struct {
	scope    constructs.Construct
	config   Config
	contract Contract
	api      awsapigatewayv2.CfnApi
	domain   awsapigatewayv2.CfnDomainName
}

func newHTTPAPI(scope constructs.Construct, config Config, contract Contract) *httpAPI {
	scope = constructs.NewConstruct(scope, jsii.String("Http"))
	api := awsapigatewayv2.NewCfnApi(scope, jsii.String("Api"), &awsapigatewayv2.CfnApiProps{
		Name: jsii.Sprintf("boulevard-%s", config.Stage), ProtocolType: jsii.String("HTTP"),
		Description: jsii.Sprintf("Boulevard %s: the HTTP API", config.Stage),
		// With a name of its own, the API is not to be had by another one.
		DisableExecuteApiEndpoint: config.Domain != nil,
	})
	if len(config.CORS) > 0 {
		// No credentials: the API knows nobody by a cookie.
		api.SetCorsConfiguration(&awsapigatewayv2.CfnApi_CorsProperty{
			AllowOrigins: jsii.Strings(config.CORS...), AllowMethods: jsii.Strings(contract.Methods()...),
			AllowHeaders: jsii.Strings(contract.Requests...), ExposeHeaders: jsii.Strings(contract.Answers...),
			MaxAge: jsii.Number(preflightAge),
		})
	}
	return &httpAPI{scope: scope, config: config, contract: contract, api: api}
}

// url is where clients find the API.
func (h *httpAPI) url() string {
	if h.config.Emulator != "" {
		return *join(emulatedAPIs(h.config), *h.api.Ref())
	}
	if h.config.Domain != nil {
		return "https://" + h.config.Domain.Name
	}
	return *h.api.AttrApiEndpoint()
}

// emulatedAPIs is where an emulator has all APIs.
func emulatedAPIs(config Config) string { return config.Emulator + "/_aws/execute-api/" }

// route has the function answer every route of the contract.
func (h *httpAPI) route(f function) error {
	integration := awsapigatewayv2.NewCfnIntegration(h.scope, jsii.String("Integration"), &awsapigatewayv2.CfnIntegrationProps{
		ApiId: h.api.Ref(), IntegrationType: jsii.String("AWS_PROXY"), IntegrationUri: f.FunctionArn(),
		PayloadFormatVersion: jsii.String("2.0"),
		// A little more than the function has, so that the function's own end of time is what is answered.
		TimeoutInMillis: jsii.Number(1000 * (*f.Timeout().ToSeconds(nil) + 1)),
	})
	permit(h.scope, f, h.api)
	settings, err := h.settings()
	if err != nil {
		return err
	}
	stage := awsapigatewayv2.NewCfnStage(h.scope, jsii.String("Stage"), &awsapigatewayv2.CfnStageProps{
		ApiId: h.api.Ref(), StageName: jsii.String("$default"), AutoDeploy: jsii.Bool(true),
		DefaultRouteSettings: defaultThrottle.settings(), RouteSettings: settings,
		AccessLogSettings: accessLogs(h.scope, h.config),
	})
	for _, route := range h.contract.Routes {
		made := newRoute(h.scope, h.api, integration, route.Operation, route.Key())
		if route.Operation == signIn && h.config.Issuer != "" {
			h.authorize(made)
		}
		// The settings of a route can be made when the route has been.
		stage.AddResourceDependency(made, nil)
	}
	if h.config.Domain != nil {
		h.domain = newDomain(h.scope, h.config.Domain.Name, h.config.Domain.Certificate, h.api, stage)
	}
	return nil
}

// signIn is the operation that exchanges an issuer's token.
const signIn = "signIn"

// authorize has the gateway check an issuer's token, and hand on what it says: the function needs no keys of the issuer.
func (h *httpAPI) authorize(route awsapigatewayv2.CfnRoute) {
	authorizer := awsapigatewayv2.NewCfnAuthorizer(h.scope, jsii.String("Issuer"), &awsapigatewayv2.CfnAuthorizerProps{
		ApiId: h.api.Ref(), AuthorizerType: jsii.String("JWT"), Name: jsii.String("issuer"),
		IdentitySource: jsii.Strings("$request.header.Authorization"),
		JwtConfiguration: &awsapigatewayv2.CfnAuthorizer_JWTConfigurationProperty{
			Issuer: &h.config.Issuer, Audience: jsii.Strings(h.config.IssuerAudience...),
		},
	})
	route.SetAuthorizationType(jsii.String("JWT"))
	route.SetAuthorizerId(authorizer.Ref())
}

// settings are the throttles of single routes.
func (h *httpAPI) settings() (map[string]any, error) {
	settings, unknown := map[string]any{}, len(throttles)
	for _, route := range h.contract.Routes {
		if t, ok := throttles[route.Operation]; ok {
			unknown--
			settings[route.Key()] = t.json()
		}
	}
	if unknown > 0 {
		return nil, fmt.Errorf("%d throttles are for operations that the contract does not have", unknown)
	}
	return settings, nil
}

func (t throttle) settings() *awsapigatewayv2.CfnStage_RouteSettingsProperty {
	return &awsapigatewayv2.CfnStage_RouteSettingsProperty{
		ThrottlingRateLimit: jsii.Number(t.rate), ThrottlingBurstLimit: jsii.Number(t.burst),
	}
}

// json is the same where CloudFormation takes free JSON, which has names of its own.
func (t throttle) json() map[string]any {
	return map[string]any{"ThrottlingRateLimit": t.rate, "ThrottlingBurstLimit": t.burst}
}

// newRoute makes a route of either kind of API. Who may call is the function's decision, which knows its own tokens.
func newRoute(
	scope constructs.Construct, api awsapigatewayv2.CfnApi, integration awsapigatewayv2.CfnIntegration, id, key string,
) awsapigatewayv2.CfnRoute {
	route := awsapigatewayv2.NewCfnRoute(scope, jsii.String("Route-"+id), &awsapigatewayv2.CfnRouteProps{
		ApiId: api.Ref(), RouteKey: &key, AuthorizationType: jsii.String("NONE"),
		Target: awscdk.Fn_Join(jsii.String("/"), jsii.Strings("integrations", *integration.Ref())),
	})
	suppress(route, "AwsSolutions-APIG4", "The function authorizes: it knows its own tokens, and tickets in links.")
	return route
}

// permit lets an API call a function: once for all routes, as a statement for each would outgrow the function's policy.
func permit(scope constructs.Construct, f function, api awsapigatewayv2.CfnApi) {
	awslambda.NewCfnPermission(scope, jsii.String("Permission"), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: f.FunctionArn(),
		Principal: jsii.String("apigateway.amazonaws.com"),
		SourceArn: jsii.String(*executeARN(scope, api, "*")),
	})
}

// executeARN is what is below an API, as permissions name it.
func executeARN(scope constructs.Construct, api awsapigatewayv2.CfnApi, below string) *string {
	return awscdk.Stack_Of(scope).FormatArn(&awscdk.ArnComponents{
		Service: jsii.String("execute-api"), Resource: api.Ref(), ResourceName: &below,
	})
}

func newDomain(
	scope constructs.Construct, name, certificate string, api awsapigatewayv2.CfnApi, stage awsapigatewayv2.CfnStage,
) awsapigatewayv2.CfnDomainName {
	domain := awsapigatewayv2.NewCfnDomainName(scope, jsii.String("Domain"), &awsapigatewayv2.CfnDomainNameProps{
		DomainName: &name,
		DomainNameConfigurations: []any{&awsapigatewayv2.CfnDomainName_DomainNameConfigurationProperty{
			CertificateArn: &certificate, EndpointType: jsii.String("REGIONAL"), SecurityPolicy: jsii.String("TLS_1_2"),
		}},
	})
	awsapigatewayv2.NewCfnApiMapping(scope, jsii.String("Mapping"), &awsapigatewayv2.CfnApiMappingProps{
		ApiId: api.Ref(), DomainName: domain.Ref(), Stage: stage.Ref(),
	})
	return domain
}

func accessLogs(scope constructs.Construct, config Config) *awsapigatewayv2.CfnStage_AccessLogSettingsProperty {
	return &awsapigatewayv2.CfnStage_AccessLogSettingsProperty{
		DestinationArn: newLogGroup(scope, config, "AccessLogs").LogGroupArn(), Format: &accessLog,
	}
}

// logFormat is a line of JSON with a field for each variable of the gateway's.
func logFormat(variables ...string) string {
	fields := make([]string, len(variables))
	for i, variable := range variables {
		fields[i] = fmt.Sprintf(`"%s":"$context.%s"`, variable, variable)
	}
	return "{" + strings.Join(fields, ",") + "}"
}
