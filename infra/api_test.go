package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stageOf is the stage of one of the two APIs.
func stageOf(t *testing.T, s synthesized, name string) object {
	t.Helper()
	for _, stage := range s.resources("AWS::ApiGatewayV2::Stage") {
		if properties(stage)["StageName"] == name {
			return stage
		}
	}
	t.Fatal(name)
	return nil
}

// routesOf are the keys of the routes of an API.
func routesOf(s synthesized, api string) []string {
	var keys []string
	for _, route := range s.resources("AWS::ApiGatewayV2::Route") {
		if strings.HasPrefix(text(properties(route)["ApiId"]), "${"+api) {
			keys = append(keys, properties(route)["RouteKey"].(string))
		}
	}
	return keys
}

func TestEveryOperationOfTheContractIsRouted(t *testing.T) {
	contract, err := LoadContract("../api/openapi.yaml")
	require.NoError(t, err)
	var want []string
	for _, route := range contract.Routes {
		want = append(want, route.Key())
	}
	require.ElementsMatch(t, want, routesOf(everything(), "HttpApi"))
	require.NotContains(t, want, "$default")
	for id, route := range everything().resources("AWS::ApiGatewayV2::Route") {
		require.Regexp(t, `^integrations/\$\{(Http|Live)Integration`, text(properties(route)["Target"]), id)
	}
}

func TestTheHTTPFunctionGetsTheGatewaysSecondFormat(t *testing.T) {
	everything().has(t, "AWS::ApiGatewayV2::Integration", object{
		"IntegrationType": "AWS_PROXY", "PayloadFormatVersion": "2.0", "TimeoutInMillis": 11000,
		"IntegrationUri": object{"Fn::GetAtt": []any{"FunctionshttpFunctionBB539FE8", "Arn"}},
	})
}

func TestWhatIsCostlyIsThrottledMore(t *testing.T) {
	stage := stageOf(t, everything(), "$default")
	settings := properties(stage)["RouteSettings"].(object)
	require.Len(t, settings, len(throttles))
	usual := properties(stage)["DefaultRouteSettings"].(object)["ThrottlingRateLimit"].(float64)
	for _, key := range []string{"POST /v1/players", "POST /v1/me/channels/{channel}/test"} {
		require.Less(t, settings[key].(object)["ThrottlingRateLimit"], usual/10, key)
	}
	require.Len(t, stage["DependsOn"], len(routesOf(everything(), "HttpApi")), "settings come after their routes")
}

func TestAThrottleOfNoOperationIsRefused(t *testing.T) {
	t.Parallel()
	api := &httpAPI{contract: Contract{Routes: []Route{{"POST", "/v1/players", "createGuest"}}}}
	_, err := api.settings()
	require.ErrorContains(t, err, "throttles")
}

// What must be in no access log: permissions, which are in headers and in some paths, and what a player asks for.
func TestAccessLogsKeepNoSecrets(t *testing.T) {
	for _, name := range []string{"$default", liveStage} {
		format := properties(stageOf(t, everything(), name))["AccessLogSettings"].(object)["Format"].(string)
		var line map[string]string
		require.NoError(t, json.Unmarshal([]byte(format), &line))
		require.Contains(t, line, "status")
		require.Contains(t, line, "routeKey")
		for field := range line {
			for _, secret := range []string{"path", "query", "auth", "header", "protocol", "body", "userAgent"} {
				require.NotContains(t, strings.ToLower(field), secret)
			}
		}
	}
}

func TestOnlyConfiguredPagesMayCall(t *testing.T) {
	everything().has(t, "AWS::ApiGatewayV2::Api", object{"CorsConfiguration": object{
		"AllowOrigins":  []any{"https://play.example.org", "http://localhost:5173"},
		"AllowMethods":  []any{"DELETE", "GET", "POST", "PUT"},
		"AllowHeaders":  []any{"authorization", "content-type", "idempotency-key", "if-match", "if-none-match"},
		"ExposeHeaders": []any{"etag"},
	}})
	for id, api := range smallest().resources("AWS::ApiGatewayV2::Api") {
		require.NotContains(t, properties(api), "CorsConfiguration", id)
	}
}

func TestADomainServesTheAPIAlone(t *testing.T) {
	everything().has(t, "AWS::ApiGatewayV2::Api", object{"ProtocolType": "HTTP", "DisableExecuteApiEndpoint": true})
	smallest().has(t, "AWS::ApiGatewayV2::Api", object{"ProtocolType": "HTTP", "DisableExecuteApiEndpoint": false})
	for _, name := range []string{"api.example.org", "live.example.org"} {
		everything().has(t, "AWS::ApiGatewayV2::DomainName", object{
			"DomainName":               name,
			"DomainNameConfigurations": []any{object{"SecurityPolicy": "TLS_1_2", "CertificateArn": exampleConfig().Domain.Certificate}},
		})
	}
	require.Empty(t, smallest().resources("AWS::ApiGatewayV2::DomainName"))
}

func TestTheWebSocketAPITakesAllMessagesAlike(t *testing.T) {
	require.ElementsMatch(t, []string{"$connect", "$disconnect", "$default"}, routesOf(everything(), "LiveApi"))
	settings := properties(stageOf(t, everything(), liveStage))["DefaultRouteSettings"].(object)
	require.InDelta(t, liveThrottle.rate, settings["ThrottlingRateLimit"], 0)
}

func TestTheGatewaysLogRoleIsMadeUnlessThereIsOne(t *testing.T) {
	account := everything().only(t, "AWS::ApiGateway::Account")
	require.Equal(t, "Retain", account["DeletionPolicy"])

	config := smallestConfig()
	config.GatewayLogRole = gatewayRoleExisting
	require.Empty(t, synthesize(config, "existing").resources("AWS::ApiGateway::Account"))
}

func TestAnEmulatorsAPIsAreBehindPaths(t *testing.T) {
	config, err := LoadConfig("stages", "emulator")
	require.NoError(t, err)
	emulator := synthesize(config, "emulator")
	const apis = "http://127.0.0.1:4566/_aws/execute-api/"
	clock := variablesOf(t, emulator, clockName)
	require.Equal(t, apis+"${HttpApiB1B95647}", text(clock["BOULEVARD_SITE"]))
	require.Equal(t, apis+"${LiveApiACBCF7C0}/live", text(clock["BOULEVARD_LIVE_ENDPOINT"]))
	live := emulator.json["Outputs"].(object)["LiveUrl"].(object)["Value"]
	require.Equal(t, "ws://127.0.0.1:4566/_aws/execute-api/${LiveApiACBCF7C0}/live", text(live))
}

func TestOnlyTheIssuersTokensSignIn(t *testing.T) {
	checked := map[string]bool{}
	for _, route := range everything().resources("AWS::ApiGatewayV2::Route") {
		checked[properties(route)["RouteKey"].(string)] = properties(route)["AuthorizationType"] == "JWT"
	}
	for key, is := range checked {
		require.Equal(t, key == "POST /v1/tokens/external", is, key)
	}
	everything().has(t, "AWS::ApiGatewayV2::Authorizer", object{
		"AuthorizerType":   "JWT",
		"JwtConfiguration": object{"Issuer": "https://login.example.org", "Audience": []any{"boulevard-web"}},
	})
}
