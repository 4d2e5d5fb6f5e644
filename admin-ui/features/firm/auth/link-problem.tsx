import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AuthCard } from './auth-card.tsx'
import { say } from './words.ts'

/** The page was opened without the token that the mailed link carries. */
export const LinkProblem = ({ title }: { title: string }) => (
  <AuthCard
    title={title}
    foot={
      <Anchor component={Link} to="/sign-in" size="sm">
        {say('auth.sign_in.link')}
      </Anchor>
    }
  >
    <Text size="sm">{say('auth.link.incomplete')}</Text>
  </AuthCard>
)
