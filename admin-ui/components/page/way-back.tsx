import { Button, Group } from '@mantine/core'
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router'
import { say } from '../../lib/text/words.ts'

/** A link away from a page that does not exist, or that this reader may not open. */
export const WayBack = () => {
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  return (
    <Group gap="xs">
      {canGoBack && (
        <Button variant="default" onClick={() => history.back()}>
          {say('shell.back')}
        </Button>
      )}
      <Button component={Link} to="/" variant="default">
        {say('shell.dashboard')}
      </Button>
    </Group>
  )
}
