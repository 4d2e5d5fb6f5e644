import { defineStates } from '../../../platform/db/states.ts'

/**
 * RULES “Moving in”. A dry run ends as `checked`; `loaded` waits for a second person where there are balances. What is
 * at work can be stopped: until something was made it has failed, from then on it is undone.
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
