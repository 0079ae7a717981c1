/** The package has no types. These are the members that this project uses. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string>> });
    /**
     * Returns the available encoding that the client prefers; `undefined` if the client accepts no available encoding.
     */
    encoding(available: string[], options: { readonly preferred: string[] }): string | undefined;
  }
}
