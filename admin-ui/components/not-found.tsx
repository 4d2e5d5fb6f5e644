import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page } from './page.tsx'

/** An address that no page answers to. */
export const NotFound = () => (
  <Page
    title="There is no such page"
    subtitle="The address may be mistyped, or what it showed has been removed."
    narrow
  >
    <Button component={Link} to="/" variant="default">
      Go to the dashboard
    </Button>
  </Page>
)
