import { Skeleton } from '@mantine/core'
import { say } from '../../lib/text/words.ts'

/** Stands where a value will be that is read after its row, or says that it was not read. A dash would mean none. */
export const LateValue = ({ isError }: { isError: boolean }) =>
  isError ? (
    <span className="dim">{say('parts.unread')}</span>
  ) : (
    <Skeleton component="span" display="inline-block" height={10} width={72} maw="100%" radius="sm" />
  )
