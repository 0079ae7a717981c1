import type { Child } from './child.ts';

/** Processes of the service, stopped in the reverse order of their start. */
export class Parts {
  readonly failed: Promise<never>;
  readonly #children: Child[] = [];
  #stopping = false;
  #fail: (error: Error) => void = () => undefined;

  constructor() {
    this.failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => undefined);
  }

  add(name: string, child: Child): void {
    this.#children.push(child);
    void child.ended.then((said) => {
      if (!this.#stopping) this.#fail(new Error(`The ${name} ended by itself. ${said}`.trim()));
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const child of this.#children.reverse()) await child.stop();
  }
}
