/**
 * The names of actions that only tests, the insider and the benchmark use. Those of the product are in
 * src/words/audit-actions.ts, and src/contract/audit-actions.test.ts allows the product no others.
 */
declare module '../words/audit-actions.ts' {
  interface MadeUpActions {
    [action: `test.${string}`]: true
    [action: `bench.${string}`]: true
    [action: `insider.${string}`]: true
  }
}

export {}
