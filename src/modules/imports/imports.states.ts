import { defineStates } from '../../platform/db/states.ts'

/** RULES “Moving in”. A dry run ends as `checked`; `loaded` waits for a second person where there are balances. */
export const importStates = defineStates({
  receiving: ['checking', 'failed'],
  checking: ['checked', 'loading', 'failed'],
  checked: [],
  loading: ['loaded', 'done'],
  loaded: ['posting', 'undoing'],
  posting: ['done'],
  done: ['undoing'],
  undoing: ['undone'],
  undone: [],
  failed: [],
})
