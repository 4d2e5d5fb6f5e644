import { Select, type SelectProps } from '@mantine/core'
import { say } from '../../lib/text/words.ts'

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/**
 * Chooses a time zone. A browser lists one name of each zone, and the server knows all names. So the present name (such
 * as Europe/Nicosia) is offered beside the names of the browser.
 */
export const TimeZoneSelect = (props: Omit<SelectProps, 'data'>) => {
  const set = props.value ?? props.defaultValue
  const zones = typeof set === 'string' && set !== '' && !ZONES.includes(set) ? [set, ...ZONES] : ZONES
  return <Select label={say('parts.time_zone')} searchable allowDeselect={false} limit={30} {...props} data={zones} />
}
