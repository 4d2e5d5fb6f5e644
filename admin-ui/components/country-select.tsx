import { Select, type SelectProps } from '@mantine/core'
import { COUNTRIES } from '../lib/countries.ts'

/** A country by name; the value is its ISO code. */
export const CountrySelect = (props: Omit<SelectProps, 'data'>) => (
  <Select data={[...COUNTRIES]} searchable clearable nothingFoundMessage="No such country" {...props} />
)
