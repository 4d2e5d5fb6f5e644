import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../../../components/page/section.tsx'
import type { SqlSchema } from './sandbox.api.ts'
import { say } from './words.ts'

type SchemaTreeProps = { schema: SqlSchema; onInsert: (text: string) => void }

/** Lists the tables and columns that a query may read; a click inserts one into the query. */
export const SchemaTree = ({ schema, onInsert }: SchemaTreeProps) => {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const fits = (text: string): boolean => text.toLowerCase().includes(wanted)
  const tables = schema.tables
    .map((table) => ({
      ...table,
      columns: fits(table.name) ? table.columns : table.columns.filter(({ name }) => fits(name)),
    }))
    .filter(({ columns }) => columns.length > 0)
  return (
    <Section title={say('sandbox.tables.title')}>
      <TextInput
        size="xs"
        mb="xs"
        aria-label={say('sandbox.tables.search')}
        placeholder={say('sandbox.tables.search')}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {tables.length === 0 && <p className="dim">{say('sandbox.tables.none')}</p>}
      <div className="sql-tables">
        {tables.map(({ name, description, columns }) => (
          <details key={name} open={wanted !== '' || undefined}>
            <summary title={description}>{name}</summary>
            {description && <p className="sql-about">{description}</p>}
            <ul>
              {columns.map((column) => (
                <li key={column.name} title={column.description}>
                  <button
                    type="button"
                    onClick={() => onInsert(column.name)}
                    aria-label={say('sandbox.tables.insert', { name: `${name}.${column.name}` })}
                  >
                    {column.name}
                  </button>
                  <span className="dim">{column.type}</span>
                </li>
              ))}
            </ul>
          </details>
        ))}
        {wanted === '' && (
          <details>
            <summary>{say('sandbox.tables.functions')}</summary>
            <ul>
              {schema.functions.map(({ name, description }) => (
                <li key={name}>
                  <span className="sql-about">{description}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </Section>
  )
}
