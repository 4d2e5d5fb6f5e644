import { Select, type SelectProps } from '@mantine/core'
import { COUNTRIES } from '../../lib/text/countries.ts'
import { say } from '../../lib/text/words.ts'

/** Chooses a country by name; the value is its ISO code. */
export const CountrySelect = (props: Omit<SelectProps, 'data'>) => (
  <Select data={[...COUNTRIES]} searchable clearable nothingFoundMessage={say('parts.country.empty')} {...props} />
)
