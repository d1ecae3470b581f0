package rest

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/aws/aws-lambda-go/events"

	"boulevard/functions/internal/host"
)

// Gateway serves API Gateway's HTTP API events (payload format 2.0) with an http.Handler, so that the cloud and one
// machine run the very same server.
func Gateway(handler http.Handler) func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	return func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		answer := &gatewayAnswer{status: http.StatusOK, header: http.Header{}}
		if request, err := gatewayRequest(ctx, event); err != nil {
			writeProblem(answer, newProblem(unreadable, ""))
		} else {
			handler.ServeHTTP(answer, request.WithContext(withPerson(ctx, event.RequestContext.Authorizer)))
		}
		return answer.event(), nil
	}
}

type personKey struct{}

// withPerson keeps what the gateway's authorizer has found out: nobody else can put it there.
func withPerson(ctx context.Context, authorizer *events.APIGatewayV2HTTPRequestContextAuthorizerDescription) context.Context {
	if authorizer == nil || authorizer.JWT == nil {
		return ctx
	}
	claims := authorizer.JWT.Claims
	return context.WithValue(ctx, personKey{}, host.External{Issuer: claims["iss"], Subject: claims["sub"], Name: claims["name"]})
}

func gatewayRequest(ctx context.Context, event events.APIGatewayV2HTTPRequest) (*http.Request, error) {
	body := []byte(event.Body)
	if event.IsBase64Encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(event.Body); err != nil {
			return nil, err
		}
	}
	target := event.RawPath
	if event.RawQueryString != "" {
		target += "?" + event.RawQueryString
	}
	request, err := http.NewRequestWithContext(ctx, event.RequestContext.HTTP.Method, target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range event.Headers {
		request.Header.Set(name, value)
	}
	if len(event.Cookies) > 0 {
		request.Header.Set("Cookie", strings.Join(event.Cookies, "; "))
	}
	request.RequestURI, request.Host = target, event.RequestContext.DomainName
	request.RemoteAddr = event.RequestContext.HTTP.SourceIP
	return request, nil
}

// gatewayAnswer collects an answer: the gateway takes it whole.
type gatewayAnswer struct {
	status  int
	written bool
	header  http.Header
	body    bytes.Buffer
}

// Header is what will be sent, as of the end: nothing is sent before.
func (a *gatewayAnswer) Header() http.Header { return a.header }

// WriteHeader keeps the first status, as a server on a socket does.
func (a *gatewayAnswer) WriteHeader(status int) {
	if !a.written {
		a.status, a.written = status, true
	}
}

// Write fixes the status, if nobody has.
func (a *gatewayAnswer) Write(data []byte) (int, error) {
	a.written = true
	return a.body.Write(data)
}

func (a *gatewayAnswer) event() events.APIGatewayV2HTTPResponse {
	headers := make(map[string]string, len(a.header))
	for name, values := range a.header {
		headers[name] = strings.Join(values, ", ")
	}
	return events.APIGatewayV2HTTPResponse{StatusCode: a.status, Headers: headers, Body: a.body.String()}
}
