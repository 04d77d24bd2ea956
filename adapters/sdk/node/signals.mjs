// The errors that mean something to the protocol; each may be thrown from anywhere while a scenario runs.

/** A scenario that cannot be acted out to its end; the subclass says whose matter that is. */
export class Stop extends Error {}

/** This adapter lacks a capability that the scenario needs. */
export class Unsupported extends Stop {
  constructor(capability, reason) {
    super(`${capability}: ${reason}`);
    this.capability = capability;
    this.reason = reason;
  }
}

/** The binding's language or types cannot say what the scenario asks for; `path` names the place. */
export class Inexpressible extends Stop {
  constructor(path, reason) {
    super(`${path}: ${reason}`);
    this.path = path;
    this.reason = reason;
  }
}

/** The adapter, its set-up or the scenario's program is at fault, never the binding: answered with error -32000. */
export class AdapterFault extends Stop {}
