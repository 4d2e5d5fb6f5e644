import { Checkbox, Input, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { Loaded } from '../../../components/page/loaded.tsx'
import { fetchScopes, type Scope, type ScopeInfo } from './api-keys.api.ts'
import { type ScopeRow, scopeRows, withAllRead } from './scope-rows.ts'
import { tellScope } from './scope-words.ts'
import { say } from './words.ts'

type ScopesFieldProps = {
  value?: Scope[]
  onChange?: (scopes: Scope[]) => void
  error?: ReactNode
  'aria-required'?: boolean
}

/** Asks what a key may do, in a table with a row for each resource and a checkbox each for reading and changing. */
export const ScopesField = (props: ScopesFieldProps) => {
  const scopes = useQuery({
    queryKey: ['api-keys', 'scopes'],
    queryFn: fetchScopes,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return <Loaded query={scopes}>{({ data }) => <Scopes rows={scopeRows(data)} {...props} />}</Loaded>
}

type ScopesProps = ScopesFieldProps & { rows: readonly ScopeRow[] }

const Scopes = ({ rows, value = [], onChange, error, 'aria-required': needed }: ScopesProps) => {
  // The table has no room for descriptions, so the description of the scope that was pointed at last is shown below it.
  const [told, setTold] = useState<ScopeInfo | null>(null)
  const toggle = (one: Scope): void =>
    onChange?.(value.includes(one) ? value.filter((other) => other !== one) : [...value, one])
  const readable = rows.flatMap(({ read }) => (read ? [read.scope] : []))
  const read = readable.filter((scope) => value.includes(scope)).length
  const half = Math.ceil(rows.length / 2)
  const common = { value, onToggle: toggle, onPoint: setTold }
  return (
    <fieldset className="choices" data-needed={needed || undefined}>
      <Text component="legend" size="sm" fw={600}>
        {say('api-keys.scopes.legend')}
      </Text>
      <Checkbox
        size="xs"
        className="scopes-all"
        label={say('api-keys.scopes.all')}
        checked={read === readable.length}
        indeterminate={read > 0 && read < readable.length}
        onChange={() => onChange?.(withAllRead(value, rows, read < readable.length))}
      />
      <div className="scopes">
        <ScopeTable rows={rows.slice(0, half)} {...common} />
        <ScopeTable rows={rows.slice(half)} {...common} />
      </div>
      {error && <Input.Error mt={4}>{error}</Input.Error>}
      <div className="scopes-told">
        {told ? (
          <>
            <code className="code">{told.scope}</code> {tellScope(told.scope)}
          </>
        ) : (
          `${say('api-keys.scopes.chosen', { count: value.length })} ${say('api-keys.scopes.point')}`
        )}
      </div>
    </fieldset>
  )
}

type ScopeTableProps = {
  rows: readonly ScopeRow[]
  value: readonly Scope[]
  onToggle: (scope: Scope) => void
  onPoint: (scope: ScopeInfo | null) => void
}

const ScopeTable = ({ rows, ...common }: ScopeTableProps) => {
  const id = useId()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{say('api-keys.scopes.area')}</th>
          <th scope="col">{say('api-keys.scopes.read')}</th>
          <th scope="col">{say('api-keys.scopes.write')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ area, name, read, write }) => {
          // A click on the name ticks the scope to read, or the one to change where there is none to read.
          const first = `${id}-${area}`
          return (
            <tr key={area}>
              <th scope="row">
                <label htmlFor={first}>{name}</label>
              </th>
              <ScopeCell info={read} id={first} {...common} />
              <ScopeCell info={write} {...(!read && { id: first })} {...common} />
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

type ScopeCellProps = Omit<ScopeTableProps, 'rows'> & { info: ScopeInfo | null; id?: string }

const ScopeCell = ({ info, id, value, onToggle, onPoint }: ScopeCellProps) => (
  <td {...(info && { onPointerEnter: () => onPoint(info) })}>
    {info && (
      <Checkbox
        size="xs"
        {...(id && { id })}
        aria-label={tellScope(info.scope)}
        checked={value.includes(info.scope)}
        onFocus={() => onPoint(info)}
        onChange={() => onToggle(info.scope)}
      />
    )}
  </td>
)
