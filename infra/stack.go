package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"
)

// featureFlags take what CDK does by default in new apps, where it matters here.
var featureFlags = map[string]any{
	"@aws-cdk/core:checkSecretUsage":              true,
	"@aws-cdk/core:enablePartitionLiterals":       true,
	"@aws-cdk/aws-iam:minimizePolicies":           true,
	"@aws-cdk/core:validateSnapshotRemovalPolicy": true,
	"@aws-cdk/aws-lambda:useCdkManagedLogGroup":   false, // every function is given one
}

// NewApp makes the app that is synthesized into a folder. Every resource in it is held against cdk-nag's rules.
func NewApp(out string) awscdk.App {
	app := awscdk.NewApp(&awscdk.AppProps{
		Outdir: &out, Context: &featureFlags,
		// Nothing is reported to anybody, and a template holds nothing of the machine that made it.
		AnalyticsReporting: jsii.Bool(false), StackTraces: jsii.Bool(false), TreeMetadata: jsii.Bool(false),
	})
	awscdk.Aspects_Of(app).Add(cdknag.NewAwsSolutionsChecks(&cdknag.NagPackProps{Verbose: jsii.Bool(true), Reports: jsii.Bool(false)}), nil)
	return app
}

// StackName is what CloudFormation calls a stage.
func StackName(config Config) string { return "boulevard-" + config.Stage }

// NewStack makes all of a stage. The functions' programs are in folders of their names below assets.
func NewStack(app constructs.Construct, config Config, contract Contract, assets string) (awscdk.Stack, error) {
	stack := awscdk.NewStack(app, jsii.String(StackName(config)), &awscdk.StackProps{
		Description: jsii.Sprintf("Boulevard %s: turn-based board games, played asynchronously", config.Stage),
		Env:         &awscdk.Environment{Account: stringOrNil(config.Account), Region: stringOrNil(config.Region)},
		// A stage that keeps its data is not destroyed in passing.
		TerminationProtection: jsii.Bool(!config.Throwaway),
		Tags:                  &map[string]*string{"boulevard:stage": &config.Stage},
	})
	table, keyring := newTable(stack, config), newKeyring(stack, config)
	api, live := newHTTPAPI(stack, config, contract), newLiveAPI(stack, config)
	all := newFunctions(stack, config, assets, newEnvironment(config, addresses{
		table: *table.TableName(), keyring: *keyring.SecretArn(), site: site(config, api), live: live.endpoint(),
	}))
	if err := api.route(all[httpName]); err != nil {
		return nil, err
	}
	live.route(all[socketName])

	grantTable(all, *table.TableArn())
	grantSecrets(all, config, *keyring.SecretArn())
	grantChannels(stack, all, config)
	live.grantConnections(all)
	grantTraces(all, config)

	dead := newFollowers(stack, config, table, all)
	dead[clockName] = newClock(stack, config, all[clockName])
	at := watched{config: config, functions: all, api: *api.api.Ref(), tableName: *table.TableName(), dead: queueNames(dead)}
	newAlarms(stack, at)
	writeOutputs(stack, outputs{
		api: api, live: live, table: *table.TableName(), dashboard: newDashboard(stack, at), dead: dead,
	})
	return stack, nil
}

func site(config Config, api *httpAPI) string {
	if config.Site != "" {
		return config.Site
	}
	return api.url()
}

func queueNames(queues map[string]awssqs.Queue) map[string]string {
	names := map[string]string{}
	for key, queue := range queues {
		names[key] = *queue.QueueName()
	}
	return names
}

func stringOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// outputs are what whoever deploys a stage wants to know.
type outputs struct {
	api       *httpAPI
	live      *liveAPI
	table     string
	dashboard awscloudwatch.Dashboard
	dead      map[string]awssqs.Queue
}

func writeOutputs(stack awscdk.Stack, o outputs) {
	values := map[string]string{
		"ApiUrl": o.api.url(), "LiveUrl": o.live.url(), "TableName": o.table,
		"DashboardUrl": *join("https://", *stack.Region(), ".console.aws.amazon.com/cloudwatch/home?region=", *stack.Region(),
			"#dashboards/dashboard/", *o.dashboard.DashboardName()),
	}
	for name, queue := range o.dead {
		values["DeadLettersUrlOf"+name] = *queue.QueueUrl()
	}
	addTarget(values, "ApiDomainTarget", o.api.domain)
	addTarget(values, "LiveDomainTarget", o.live.domain)
	for _, name := range sortedKeys(values) {
		awscdk.NewCfnOutput(stack, jsii.String(name), &awscdk.CfnOutputProps{Value: jsii.String(values[name])})
	}
}

// addTarget says where the host's DNS has to point for a name of its own.
func addTarget(values map[string]string, name string, domain awsapigatewayv2.CfnDomainName) {
	if domain != nil {
		values[name] = *domain.AttrRegionalDomainName()
	}
}
