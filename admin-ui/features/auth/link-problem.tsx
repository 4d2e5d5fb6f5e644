import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AuthCard } from './auth-card.tsx'

/** The page was opened without the token that the mailed link carries. */
export const LinkProblem = ({ title }: { title: string }) => (
  <AuthCard
    title={title}
    foot={
      <Anchor component={Link} to="/sign-in" size="sm">
        Go to sign-in
      </Anchor>
    }
  >
    <Text size="sm">This link is not complete. Open it from the mail again, or copy the whole address.</Text>
  </AuthCard>
)
