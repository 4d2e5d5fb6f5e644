import { performance } from 'node:perf_hooks'
import { parseList } from '../../modules/clients/sanctions/list-parsers.ts'
import { createMatcher } from '../../modules/clients/sanctions/matcher.ts'
import { inventListed, inventOrdinary, toOfac, toUn } from './lists.ts'
import { SCRIPTS } from './names.ts'

const PER_SCRIPT = 400
const COMPANIES = 600
export const ORDINARY_CLIENTS = 1000

/** Screens invented people against invented lists in the shapes of the UN and of OFAC. */
export function screenInvented() {
  const people = inventListed(PER_SCRIPT)
  const match = createMatcher(parseList('un', { content: toUn(people) }))
  const isFound = (name: string, reference: string): boolean =>
    match({ name, dateOfBirth: null, country: null }).some(({ entry }) => entry.reference === reference)
  const scripts = SCRIPTS.map(({ name }) => {
    const asked = people.filter(({ script }) => script === name)
    const missed = asked.filter(({ own, reference }) => !isFound(own, reference))
    return {
      name,
      people: asked.length,
      missed: missed.map(({ own, given, family }) => `${own}: ${[...given, family].join(' ')}`),
    }
  })
  const ofac = createMatcher(parseList('ofac_sdn', { content: toOfac(people, COMPANIES) }))
  const began = performance.now()
  const alarms = inventOrdinary(ORDINARY_CLIENTS).flatMap((name) => {
    const [first] = ofac({ name, dateOfBirth: null, country: null })
    return first ? [`${name}: ${first.explanation.listedAs} ${first.score}`] : []
  })
  return { scripts, alarms, milliseconds: (performance.now() - began) / ORDINARY_CLIENTS }
}
