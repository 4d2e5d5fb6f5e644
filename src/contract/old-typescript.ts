import { plugin } from 'bun'

/**
 * Generators need TypeScript's compiler API, which version 7 lacks. In a process that preloads this file, `typescript`
 * is the publisher's package of the last version that has it.
 */
const compiler = await import('@typescript/typescript6')
void plugin({
  name: 'old-typescript',
  setup: (build) => {
    build.module('typescript', () => ({ exports: { ...compiler }, loader: 'object' }))
  },
})
