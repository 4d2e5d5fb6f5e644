import { Select, SimpleGrid } from '@mantine/core'
import type { Choice } from '../lib/choices.ts'

type ColumnMappingProps<F extends string> = {
  /** Names of the columns of a file. */
  columns: readonly string[]
  /** What a column can fill. */
  fields: readonly (Choice & { value: string })[]
  mapping: Readonly<Record<string, F>>
  isField: (value: string) => value is F
  /** What a column shows that fills nothing. */
  leftOut: string
  onChange: (mapping: Record<string, F>) => void
}

/** What each column of a file fills; a field that one column fills is offered to no other. */
export function ColumnMapping<F extends string>(props: ColumnMappingProps<F>) {
  const { columns, fields, mapping, isField, leftOut, onChange } = props
  const isFree = (field: string): boolean => !Object.values<string>(mapping).includes(field)
  const map = (column: string, field: string | null): void => {
    const { [column]: _old, ...rest } = mapping
    onChange(field !== null && isField(field) ? { ...rest, [column]: field } : rest)
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {columns.map((column) => (
        <Select
          key={column}
          label={column}
          placeholder={leftOut}
          clearable
          data={fields.filter(({ value }) => mapping[column] === value || isFree(value))}
          value={mapping[column] ?? null}
          onChange={(value) => map(column, value)}
        />
      ))}
    </SimpleGrid>
  )
}
