import { defineStates } from '../../../platform/db/states.ts'

/**
 * The states of an import. A dry run ends as `checked`; `loaded` waits for a second person if there are balances. A
 * running import can be stopped: it fails if nothing was made yet, and otherwise it is undone. RULES “Moving in”.
 */
export const importStates = defineStates({
  receiving: ['checking', 'failed'],
  checking: ['checked', 'loading', 'failed'],
  checked: [],
  loading: ['loaded', 'done', 'undoing'],
  loaded: ['posting', 'undoing'],
  posting: ['done', 'undoing'],
  done: ['undoing'],
  undoing: ['undone'],
  undone: [],
  failed: [],
})
