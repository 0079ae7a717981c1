import type { Child } from './child-process.ts';

/** Child processes of the service. They are stopped in the reverse order of their start. */
export class ChildProcesses {
  /** Rejects when a child exits before {@link stop} is called. */
  readonly failed: Promise<never>;
  readonly #children: Pick<Child, 'stop'>[] = [];
  #isStopping = false;
  #fail: (error: Error) => void = () => undefined;

  constructor() {
    this.failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => undefined);
  }

  add(name: string, child: Child): void {
    this.#children.push(child);
    void child.ended.then((stderr) => {
      if (!this.#isStopping)
        this.#fail(new Error(`The ${name} process exited unexpectedly. ${stderr}`.trim()));
    });
  }

  /** Adds a part without which the service keeps running. */
  addOptional(part: Pick<Child, 'stop'>): void {
    this.#children.push(part);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const child of this.#children.reverse()) await child.stop();
  }
}
