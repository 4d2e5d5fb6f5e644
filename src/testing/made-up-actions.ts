/**
 * Names of actions that tests, the insider and the benchmark make up. The product's own stand with their sentences in
 * src/words/audit-actions.ts, and src/contract/audit-actions.test.ts holds the product to those.
 */
declare module '../words/audit-actions.ts' {
  interface MadeUpActions {
    [action: `test.${string}`]: true
    [action: `bench.${string}`]: true
    [action: `insider.${string}`]: true
  }
}

export {}
