import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/** A firm has at most this many connections. */
export const MOST_CONNECTIONS = 10

export const terminalErrors = defineErrors('terminals', () => ({
  simulator_refused: [409, say('terminals.problem.simulator_refused')],
  too_many: [409, say('terminals.problem.too_many', { most: MOST_CONNECTIONS })],
  exists: [409, say('terminals.problem.exists')],
  changed_meanwhile: [409, say('terminals.problem.changed_meanwhile')],
  nothing_pending: [409, say('terminals.problem.nothing_pending')],
  in_use: [409, say('terminals.problem.in_use')],
  not_read_since: [409, say('terminals.problem.not_read_since')],
  references_open: [409, say('terminals.problem.references_open')],
  one_test: [409, say('terminals.problem.one_test')],
  too_many_tests: [429, say('terminals.problem.too_many_tests')],
}))
