module bindproof/go-upstream

go 1.22

require (
	bindproof/adapter v0.0.0
	github.com/NVIDIA/NeMo-Relay/go/nemo_relay v0.0.0
)

replace (
	bindproof/adapter => ../sdk/go
	github.com/NVIDIA/NeMo-Relay/go/nemo_relay => ../nemo_relay
)
