import { plugin } from 'bun'

/**
 * Generators make their output through TypeScript's compiler API, which version 7 does not have any more: in a process
 * that preloads this file, `typescript` is its publisher's package of the last version that has it.
 */
const compiler = await import('@typescript/typescript6')
void plugin({
  name: 'old-typescript',
  setup: (build) => {
    build.module('typescript', () => ({ exports: { ...compiler }, loader: 'object' }))
  },
})
