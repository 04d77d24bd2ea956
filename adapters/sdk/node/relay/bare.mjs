// A binding that says nothing of itself and has nothing registered, for toys of tests that are about one thing alone.

export class Bare {
  describe() {}
  freshScope() {}
  async flush() {}
  registered() {
    return [];
  }
}
