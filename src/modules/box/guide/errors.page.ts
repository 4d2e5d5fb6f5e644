import { ProblemOut } from '../../../platform/http/openapi/answers.ts'
import { buildExample } from '../../../platform/http/openapi/examples.ts'
import { listedCodes } from '../../../platform/problem.ts'
import { COMMON, FIELD_CODES, isStatus, STATUSES } from '../../../platform/problem-codes.ts'
import { say } from '../../../words/say.ts'
import type { Facts } from './guide.facts.ts'
import { code, json, table } from './guide.text.ts'

/** Up to this many operations are printed by name. */
const FEW = 8

/** Nearly every operation documents these statuses, so they say nothing about a module. */
const EVERYWHERE = new Set([400, 401, 403, 422, 429, 503])

/** Returns the operations that document a status; by name if they are few. */
function formatOperations(status: number, operations: Facts['operations']): string {
  const names = [...operations].filter(([, statuses]) => statuses.includes(status)).map(([name]) => name)
  if (names.length === 0) return 'any; not listed in the document'
  if (names.length === operations.size) return 'all'
  return names.length <= FEW ? names.map(code).join(', ') : `${names.length} of ${operations.size}`
}

const statuses = ({ operations }: Facts): string =>
  table(
    ['Status', 'What to do', 'Operations'],
    Object.entries(STATUSES).map(([status, { title, todo }]) => [
      `**${status}** ${say(title)}`,
      todo,
      formatOperations(Number(status), operations),
    ]),
  )

const row = (name: string, status: number, means: string, todo: string | undefined) => [
  code(name),
  status,
  todo === undefined ? means : `${means} ${todo}`,
]
const HEAD = ['Code', 'Status', 'What it means, and what to do beyond what its status says']

/** Returns the codes without a module: those of the server and those that several modules share. */
const general = (): string =>
  table(
    HEAD,
    [
      ...Object.entries(COMMON).map(([name, { status, means, todo }]) => row(name, status, means, todo)),
      ...listedCodes()
        .filter(([, { area }]) => area === '')
        .map(([name, { status, details, todo }]) => row(name, status, details.join(' Or: '), todo)),
    ].toSorted((a, b) => Number(a[1]) - Number(b[1])),
  )

const camel = (area: string): string => area.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns each module's codes, with its operations that document their statuses, except those that nearly all have. */
function byArea({ operations }: Facts): string {
  const areas = Map.groupBy(
    listedCodes().filter(([, { area }]) => area !== ''),
    ([, { area }]) => area,
  )
  return [...areas]
    .map(([area, codes]) => {
      const wanted = new Set<number>(codes.map(([, { status }]) => status).filter((status) => !EVERYWHERE.has(status)))
      const names = [...operations]
        .filter(([name, found]) => name.startsWith(`${camel(area)}.`) && found.some((status) => wanted.has(status)))
        .map(([name]) => code(name))
      return [
        `### ${area}`,
        table(
          HEAD,
          codes.map(([name, { status, details, todo }]) => row(name, status, details.join(' Or: '), todo)),
        ),
        ...(names.length === 0
          ? []
          : [`With ${[...wanted].toSorted().join(', ')} among their answers: ${names.join(', ')}.`]),
      ].join('\n\n')
    })
    .join('\n\n')
}

/** Returns the page of all error codes, made from those that the server uses. */
export function errorsPage(facts: Facts): string {
  const unknown = [...facts.operations.values()].flat().filter((status) => status >= 400 && !isStatus(status))
  if (unknown.length > 0) throw new Error(`Operations document statuses without a meaning: ${unknown.join(', ')}`)
  return `# Errors

A refusal is an RFC 9457 problem, \`application/problem+json\`, and has changed nothing:

${json(buildExample(ProblemOut))}

Programs go by \`status\` and \`code\`, which stay as they are; \`title\`, \`detail\` and \`message\` are for people and may be worded better at any time. New codes may come: treat one that you do not know as its status says. \`requestId\` finds the line in the server’s log, and is in the header \`X-Request-Id\` of every answer.

Two refusals have no such body and no request id, since they come before anything is understood: 431 for headers that are too long, and a bare 400 for what is no HTTP. A proxy in between may answer in words of its own as well.

## What each status asks for

${statuses(facts)}

## Codes without a chapter

${general()}

## Codes by chapter

The part before the dot is the chapter that answers. Another chapter may pass it on where it does the other’s work.

${byArea(facts)}

## Codes of fields

What \`errors[].code\` says of the field in \`errors[].path\`: a dotted path into the body, or \`query.…\`, \`header.…\` or \`path.…\`.

${table(
  ['Code', 'Meaning'],
  Object.entries(FIELD_CODES).map(([name, means]) => [code(name), means]),
)}
`
}
