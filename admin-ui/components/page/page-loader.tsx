import { Center, Loader } from '@mantine/core'
import { say } from '../../lib/text/words.ts'

/** Shown while a page's code or its first data is loading. */
export const PageLoader = () => (
  <Center mih="40vh" role="progressbar" aria-label={say('parts.loading')}>
    <Loader size="sm" type="dots" color="gray" />
  </Center>
)
