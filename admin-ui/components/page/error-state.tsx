import { Button, Code, Stack, Text } from '@mantine/core'
import { isApiError } from '../../lib/api/http.ts'
import { groupInSentence } from '../../lib/text/format.ts'
import { say, tell } from '../../lib/text/words.ts'
import { WayBack } from './way-back.tsx'

/** Shows a failure in words, with a button to try again and the request's id for support. */
export const ErrorState = ({ error, retry }: { error: unknown; retry?: () => void }) => {
  const problem = isApiError(error) ? error.problem : null
  // Trying again solves neither a missing record nor a missing role.
  const isNoWay = problem?.status === 404 || problem?.status === 403
  return (
    <Stack align="center" gap="xs" py={56} px="md" role="alert">
      <Text fw={600}>{problem?.title ?? say('parts.error.title')}</Text>
      <Text size="sm" c="dimmed" ta="center" maw={460}>
        {explain(error)}
      </Text>
      {problem?.requestId && (
        <Text size="xs" c="dimmed">
          {tell('parts.error.request', { requestId: <Code>{problem.requestId}</Code> })}
        </Text>
      )}
      {isNoWay ? (
        <WayBack />
      ) : (
        retry && (
          <Button variant="default" mt="xs" onClick={retry}>
            {say('shell.again')}
          </Button>
        )
      )}
    </Stack>
  )
}

const explain = (error: unknown): string => {
  if (!navigator.onLine) return say('shell.error.offline')
  if (!isApiError(error)) return say('parts.error.unexpected')
  if (error.status === 403) return say('parts.error.forbidden')
  if (error.status === 404) return say('parts.error.not_found')
  return error.problem.detail ?? ''
}

/** Returns one line of text for a failed call, for notices and form errors. */
export const errorText = (error: unknown): string => {
  if (!isApiError(error)) return say('parts.error.unknown')
  const { problem, retryAfter } = error
  if (problem.status === 429) {
    return say('parts.error.rate_limited', {
      when: retryAfter ? say('parts.error.wait_seconds', { retryAfter }) : say('parts.error.wait_moment'),
    })
  }
  return groupInSentence(problem.detail ?? problem.title)
}
