import { COMPANIES, LATIN, ORDINARY, SCRIPTS, type Script, SHIPS } from './names.ts'

/** Returns numbers from 0 to below `below`, the same ones in every run: the generator mulberry32. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
type Draw = (below: number) => number
const one = <T>(draw: Draw, items: readonly T[]): T => {
  const item = items[draw(items.length)]
  if (item === undefined) throw new Error('nothing to draw from')
  return item
}

/** A listed person: the name in their own script, and its words in Latin letters as a list spells them. */
type Listed = { reference: string; script: string; own: string; given: string[]; family: string; born: number }

function inventPerson(draw: Draw, script: Script, reference: string): Listed {
  const [least, most] = script.givenNames
  const given = Array.from({ length: least + draw(most - least + 1) }, () => one(draw, script.given))
  const family = one(draw, script.families)
  const words = script.together ? [family, ...given] : [...given, family]
  return {
    reference,
    script: script.name,
    own: words.map(({ own }) => own).join(script.together ? '' : ' '),
    given: given.map(({ latin }) => one(draw, latin)),
    family: one(draw, family.latin),
    born: 1940 + draw(60),
  }
}

/** Invents the people of all scripts, the same number of each. */
export function inventListed(perScript: number): Listed[] {
  const draw = seeded(33)
  return SCRIPTS.flatMap((script) =>
    Array.from({ length: perScript }, (_, at) => inventPerson(draw, script, `${script.name}.${at}`)),
  )
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')

/** Returns the UN's consolidated XML, with Latin names in parts and without names in other scripts. */
export const toUn = (people: readonly Listed[]): string =>
  `<CONSOLIDATED_LIST dateGenerated="2026-01-04"><INDIVIDUALS>${people
    .map(({ reference, given, family, born }) => {
      const parts = [...given, family].map((part, at) => {
        const tag = `${['FIRST', 'SECOND', 'THIRD', 'FOURTH'][at] ?? 'FOURTH'}_NAME`
        return `<${tag}>${escaped(part.toUpperCase())}</${tag}>`
      })
      return `<INDIVIDUAL><DATAID>${reference}</DATAID>${parts.join('')}<REFERENCE_NUMBER>${reference}</REFERENCE_NUMBER><INDIVIDUAL_DATE_OF_BIRTH><YEAR>${born}</YEAR></INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL>`
    })
    .join('')}</INDIVIDUALS></CONSOLIDATED_LIST>`

/** Returns OFAC's XML: `FAMILY, Given`, with companies and ships among the people. */
export function toOfac(people: readonly Listed[], others: number): string {
  const draw = seeded(34)
  const entries = people.map(
    ({ reference, given, family }) =>
      `<sdnEntry><uid>${reference}</uid><firstName>${escaped(given.join(' '))}</firstName><lastName>${escaped(family.toUpperCase())}</lastName><sdnType>Individual</sdnType></sdnEntry>`,
  )
  for (let at = 0; at < others; at += 1) {
    const latin = `${one(draw, LATIN.families).toUpperCase()} ${one(draw, LATIN.families).toUpperCase()}`
    const company = Array.from({ length: 2 + draw(11) }, () => one(draw, COMPANIES)).join(' ')
    entries.push(
      `<sdnEntry><uid>L.${at}</uid><firstName>${one(draw, LATIN.given)}</firstName><lastName>${latin}</lastName><sdnType>Individual</sdnType></sdnEntry>`,
      `<sdnEntry><uid>C.${at}</uid><lastName>${company.toUpperCase()} ${one(draw, ['LLC', 'CO LTD', 'INC', 'GMBH', ''])}</lastName><sdnType>Entity</sdnType></sdnEntry>`,
      `<sdnEntry><uid>S.${at}</uid><lastName>${one(draw, SHIPS)} ${1 + draw(9)}</lastName><sdnType>Vessel</sdnType></sdnEntry>`,
    )
  }
  return `<sdnList><publshInformation><Record_Count>${entries.length}</Record_Count></publshInformation>${entries.join('')}</sdnList>`
}

/** Returns the EU's XML: whole names in attributes, each in its own script and in Latin letters. */
export const toEu = (people: readonly Listed[]): string =>
  `<export generationDate="2026-01-05">${people
    .map(
      ({ reference, own, given, family, born }) =>
        `<sanctionEntity logicalId="${reference}"><subjectType code="person"/><nameAlias wholeName="${escaped([...given, family].join(' '))}"/><nameAlias wholeName="${escaped(own)}"/><birthdate year="${born}"/><citizenship countryIso2Code="00" countryDescription="UNKNOWN"/></sanctionEntity>`,
    )
    .join('')}</export>`

/** Returns names of ordinary clients of many countries. */
export function inventOrdinary(count: number): string[] {
  const draw = seeded(35)
  const names = new Set<string>()
  while (names.size < count) {
    const { given, families } = one(draw, ORDINARY)
    const middle = draw(5) === 0 ? ` ${one(draw, given)}` : ''
    names.add(`${one(draw, given)}${middle} ${one(draw, families)}`)
  }
  return [...names]
}
