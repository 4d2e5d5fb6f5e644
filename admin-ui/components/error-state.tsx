import { Button, Code, Stack, Text } from '@mantine/core'
import { say } from '../../src/words/say.ts'
import { groupInSentence } from '../lib/format.ts'
import { isApiError } from '../lib/http.ts'
import { WayBack } from './way-back.tsx'

/** A failure in words, with a way to try again and the request's id for whoever looks into it. */
export const ErrorState = ({ error, retry }: { error: unknown; retry?: () => void }) => {
  const problem = isApiError(error) ? error.problem : null
  // Trying again brings neither a record that is gone nor another role.
  const isNoWay = problem?.status === 404 || problem?.status === 403
  return (
    <Stack align="center" gap="xs" py={56} px="md" role="alert">
      <Text fw={600}>{problem?.title ?? 'Something went wrong'}</Text>
      <Text size="sm" c="dimmed" ta="center" maw={460}>
        {explain(error)}
      </Text>
      {problem?.requestId && (
        <Text size="xs" c="dimmed">
          Request <Code>{problem.requestId}</Code>
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
  if (!isApiError(error)) return 'The console met an error that it did not expect.'
  if (error.status === 403) return 'Your role does not allow this. Ask an administrator if you need it.'
  if (error.status === 404) return 'It does not exist, or it has been deleted.'
  return error.problem.detail ?? ''
}

/** One line of text for a failed call, for notices and form errors. */
export const errorText = (error: unknown): string => {
  if (!isApiError(error)) return 'Something went wrong. Try again.'
  const { problem, retryAfter } = error
  if (problem.status === 429) {
    return `Too many attempts. Try again ${retryAfter ? `in ${retryAfter} seconds` : 'in a moment'}.`
  }
  return groupInSentence(problem.detail ?? problem.title)
}
