import { Select, SimpleGrid } from '@mantine/core'
import type { Choice } from '../../lib/text/choices.ts'

type ColumnMappingProps<F extends string> = {
  /** The names of the columns of a file. */
  columns: readonly string[]
  /** The fields that a column can fill. */
  fields: readonly (Choice & { value: string })[]
  mapping: Readonly<Record<string, F>>
  isField: (value: string) => value is F
  /** The text of a column that fills no field. */
  leftOut: string
  onChange: (mapping: Record<string, F>) => void
}

/** Chooses which field each column of a file fills; a field that one column fills is not offered for another. */
export function ColumnMapping<F extends string>(props: ColumnMappingProps<F>) {
  const { columns, fields, mapping, isField, leftOut, onChange } = props
  const isFree = (field: string): boolean => !Object.values<string>(mapping).includes(field)
  const map = (column: string, field: string | null): void => {
    const { [column]: _old, ...rest } = mapping
    onChange(field !== null && isField(field) ? { ...rest, [column]: field } : rest)
  }
  // A column may be named like a property of every object, such as “constructor”.
  const findField = (column: string): F | null => (Object.hasOwn(mapping, column) ? (mapping[column] ?? null) : null)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {columns.map((column) => (
        <Select
          key={column}
          label={column}
          placeholder={leftOut}
          clearable
          data={fields.filter(({ value }) => findField(column) === value || isFree(value))}
          value={findField(column)}
          onChange={(value) => map(column, value)}
        />
      ))}
    </SimpleGrid>
  )
}
