import { Skeleton } from '@mantine/core'
import { say } from '../../lib/text/words.ts'

/**
 * Takes the place of a value that loads after its row, or says that loading failed. A dash would mean an empty value.
 */
export const LateValue = ({ isError }: { isError: boolean }) =>
  isError ? (
    <span className="dim">{say('parts.unread')}</span>
  ) : (
    <Skeleton component="span" display="inline-block" height={10} width={72} maw="100%" radius="sm" />
  )
