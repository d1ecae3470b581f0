package main

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// liveThrottle counts messages of all connections, and new connections.
var liveThrottle = throttle{rate: 200, burst: 400}

// liveLog is what is kept of a message: like accessLog, nothing of what it says.
var liveLog = logFormat("requestId", "requestTime", "eventType", "routeKey", "status", "connectionId", "integrationErrorMessage",
	"identity.sourceIp", "error.responseType")

// liveStage is the WebSocket API's stage, and the path of its URL.
const liveStage = "live"

// liveAPI is the WebSocket API. Like the HTTP API it is made before its routes.
type liveAPI struct {
	scope  constructs.Construct
	config Config
	api    awsapigatewayv2.CfnApi
	domain awsapigatewayv2.CfnDomainName
}

func newLiveAPI(scope constructs.Construct, config Config) *liveAPI {
	scope = constructs.NewConstruct(scope, jsii.String("Live"))
	api := awsapigatewayv2.NewCfnApi(scope, jsii.String("Api"), &awsapigatewayv2.CfnApiProps{
		Name: jsii.Sprintf("boulevard-%s-live", config.Stage), ProtocolType: jsii.String("WEBSOCKET"),
		Description: jsii.Sprintf("Boulevard %s: live updates", config.Stage),
		// No message says which route it wants: all of them take the default one.
		RouteSelectionExpression: jsii.String("$request.body.type"),
	})
	return &liveAPI{scope: scope, config: config, api: api}
}

// url is where clients connect.
func (l *liveAPI) url() string {
	if l.config.Emulator != "" {
		return *join("ws", strings.TrimPrefix(emulatedAPIs(l.config), "http"), *l.api.Ref(), "/", liveStage)
	}
	if l.domain != nil {
		return "wss://" + l.config.Domain.Live
	}
	return *join(*l.api.AttrApiEndpoint(), "/", liveStage)
}

// endpoint is where functions reach connections: always the gateway's own name, which needs no DNS of the host's.
func (l *liveAPI) endpoint() string {
	if l.config.Emulator != "" {
		return *join(emulatedAPIs(l.config), *l.api.Ref(), "/", liveStage)
	}
	stack := awscdk.Stack_Of(l.scope)
	return *join("https://", *l.api.Ref(), ".execute-api.", *stack.Region(), ".", *stack.UrlSuffix(), "/", liveStage)
}

func join(parts ...string) *string { return awscdk.Fn_Join(jsii.String(""), jsii.Strings(parts...)) }

// route has the function take in connections, their ends, and what they say.
func (l *liveAPI) route(f function) {
	stack := awscdk.Stack_Of(l.scope)
	integration := awsapigatewayv2.NewCfnIntegration(l.scope, jsii.String("Integration"), &awsapigatewayv2.CfnIntegrationProps{
		ApiId: l.api.Ref(), IntegrationType: jsii.String("AWS_PROXY"),
		IntegrationUri: join("arn:", *stack.Partition(), ":apigateway:", *stack.Region(),
			":lambda:path/2015-03-31/functions/", *f.FunctionArn(), "/invocations"),
	})
	permit(l.scope, f, l.api)
	stage := awsapigatewayv2.NewCfnStage(l.scope, jsii.String("Stage"), &awsapigatewayv2.CfnStageProps{
		ApiId: l.api.Ref(), StageName: jsii.String(liveStage), AutoDeploy: jsii.Bool(true),
		DefaultRouteSettings: liveThrottle.settings(),
		AccessLogSettings: &awsapigatewayv2.CfnStage_AccessLogSettingsProperty{
			DestinationArn: newLogGroup(l.scope, l.config, "AccessLogs").LogGroupArn(), Format: &liveLog,
		},
	})
	for _, key := range []string{"connect", "disconnect", "default"} {
		stage.AddResourceDependency(newRoute(l.scope, l.api, integration, key, "$"+key), nil)
	}
	if l.config.GatewayLogRole == gatewayRoleCreate {
		stage.Node().AddDependency(newGatewayLogRole(l.scope))
	}
	if domain := l.config.Domain; domain != nil && domain.Live != "" {
		l.domain = newDomain(l.scope, domain.Live, domain.Certificate, l.api, stage)
	}
}

// newGatewayLogRole lets API Gateway write logs in this region of the account, without which a WebSocket API has none. The
// setting outlives the stack, as other stages may rely on it.
func newGatewayLogRole(scope constructs.Construct) awsapigateway.CfnAccount {
	role := awsiam.NewRole(scope, jsii.String("GatewayLogRole"), &awsiam.RoleProps{
		AssumedBy: awsiam.NewServicePrincipal(jsii.String("apigateway.amazonaws.com"), nil),
		ManagedPolicies: &[]awsiam.IManagedPolicy{
			awsiam.ManagedPolicy_FromAwsManagedPolicyName(jsii.String("service-role/AmazonAPIGatewayPushToCloudWatchLogs")),
		},
	})
	role.ApplyRemovalPolicy(awscdk.RemovalPolicy_RETAIN)
	suppress(role, "AwsSolutions-IAM4", "API Gateway asks for this policy of its own: it is the account's, not one stage's.")
	account := awsapigateway.NewCfnAccount(scope, jsii.String("GatewayAccount"), &awsapigateway.CfnAccountProps{
		CloudWatchRoleArn: role.RoleArn(),
	})
	account.ApplyRemovalPolicy(awscdk.RemovalPolicy_RETAIN, nil)
	return account
}

// grantConnections lets functions say things on connections, and end them.
func (l *liveAPI) grantConnections(all functions) {
	connections := *executeARN(l.scope, l.api, liveStage+"/POST/@connections/*")
	ends := *executeARN(l.scope, l.api, liveStage+"/DELETE/@connections/*")
	for _, name := range []string{socketName, streamName, notifyName, clockName} {
		allow(all[name].role, []string{"execute-api:ManageConnections"}, connections, ends)
		suppress(all[name].role, "AwsSolutions-IAM5", "API Gateway names connections itself.",
			`/^Resource::.*@connections\/\*$/`)
	}
}
