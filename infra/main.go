// Command infra is Boulevard's stack at AWS: it makes the templates of a stage, and says whether a stage may be destroyed.
// `make synth`, `make deploy`, `make diff` and `make destroy` run it.
package main

import (
	"fmt"
	"os"

	"github.com/alecthomas/kong"
	"github.com/aws/jsii-runtime-go"
)

type cli struct {
	Stages string `help:"Folder of the stages' configurations." default:"infra/stages"`

	Synth   synthesis   `cmd:"" help:"Make the templates and assets of a stage."`
	Destroy destruction `cmd:"" help:"Say whether a stage may be destroyed."`
}

func main() {
	var c cli
	command := kong.Parse(&c, kong.Name("infra"), kong.Description("Boulevard's stack at AWS."))
	command.FatalIfErrorf(command.Run(&c))
}

// synthesis makes what CDK's command line deploys.
type synthesis struct {
	Stage    string `required:"" help:"The stage."`
	Contract string `help:"The API's contract." default:"api/openapi.yaml"`
	Assets   string `help:"Folder of the functions' programs." default:"build"`
	Out      string `help:"Folder to make the templates in." default:"build/cdk"`
	Emulator string `help:"Where a stage's emulator listens, if not where its configuration says." env:"AWS_ENDPOINT_URL"`
}

// Run makes the templates. The programs have been built by then.
func (s synthesis) Run(c *cli) error {
	config, err := LoadConfig(c.Stages, s.Stage)
	if err != nil {
		return err
	}
	if config, err = config.emulatedAt(s.Emulator); err != nil {
		return err
	}
	contract, err := LoadContract(s.Contract)
	if err != nil {
		return err
	}
	if err := CheckPrograms(config, s.Assets); err != nil {
		return err
	}
	defer jsii.Close()
	app := NewApp(s.Out)
	if _, err := NewStack(app, config, contract, s.Assets); err != nil {
		return err
	}
	app.Synth(nil)
	_, err = fmt.Fprintf(os.Stdout, "%s is in %s\n", StackName(config), s.Out)
	return err
}

// destruction says whether a stage may be destroyed.
type destruction struct {
	Stage           string `required:"" help:"The stage."`
	Confirm         string `help:"The stage's name once more."`
	ConfirmDataLoss string `help:"The stage's name a third time."`
}

// Run fails unless the stage may be destroyed.
func (d destruction) Run(c *cli) error {
	config, err := LoadConfig(c.Stages, d.Stage)
	if err != nil {
		return err
	}
	if err := MayDestroy(config, d.Confirm, d.ConfirmDataLoss); err != nil {
		return err
	}
	if !config.Throwaway {
		_, err = fmt.Fprintf(os.Stdout, "CloudFormation refuses until you have switched its protection off:\n  "+
			"aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name %s\n", StackName(config))
	}
	return err
}
