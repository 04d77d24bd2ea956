module starling/adapter

go 1.22

require (
	bindproof/adapter v0.0.0
	toy v0.0.0
)

replace (
	bindproof/adapter => ../sdk/go
	toy => ./binding
)
