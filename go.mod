module boulevard

go 1.26.8

require (
	github.com/fxamacker/cbor/v2 v2.10.0 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)
