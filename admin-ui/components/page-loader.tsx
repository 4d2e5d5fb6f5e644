import { Center, Loader } from '@mantine/core'

/** Shown while a page's code or its first data is on the way. */
export const PageLoader = () => (
  <Center mih="40vh" aria-busy aria-label="Loading">
    <Loader size="sm" type="dots" color="gray" />
  </Center>
)
