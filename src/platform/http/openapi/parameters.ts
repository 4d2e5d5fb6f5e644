import { isObject, type Json } from './schemas.ts'

/** A parameter of at least this many operations is printed once and referred to. */
const WORTH_SHARING = 3

const listOperations = (paths: Json): Json[] =>
  Object.values(paths).flatMap((item) => Object.values(isObject(item) ? item : {}).filter(isObject))

const listInline = ({ parameters }: Json): Json[] =>
  (Array.isArray(parameters) ? parameters : []).filter(isObject).filter((parameter) => !('$ref' in parameter))

/** Returns the name of a parameter: `traderId` in a query is `QueryTraderId`. */
const buildName = ({ name, in: place }: Json): string =>
  [place, name].map((word) => `${String(word).slice(0, 1).toUpperCase()}${String(word).slice(1)}`).join('')

/**
 * Replaces parameters that several operations declare alike by references, in place, and returns the shared ones: lists
 * share most of theirs, and nearly every path has an id.
 */
export function shareParameters(paths: Json): Record<string, Json> {
  const counts = new Map<string, number>()
  for (const operation of listOperations(paths))
    for (const parameter of listInline(operation)) {
      const text = JSON.stringify(parameter)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  const names = new Map<string, string>()
  const shared: Record<string, Json> = {}
  for (const operation of listOperations(paths)) {
    if (!Array.isArray(operation.parameters)) continue
    operation.parameters = operation.parameters.map((parameter: unknown) => {
      const text = JSON.stringify(parameter)
      if (!isObject(parameter) || (counts.get(text) ?? 0) < WORTH_SHARING) return parameter
      const wanted = buildName(parameter)
      let name = names.get(text) ?? wanted
      for (let n = 2; name in shared && names.get(text) === undefined; n += 1) name = `${wanted}${n}`
      names.set(text, name)
      shared[name] = parameter
      return { $ref: `#/components/parameters/${name}` }
    })
  }
  return shared
}
