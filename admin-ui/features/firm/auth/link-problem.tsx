import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AuthCard } from './auth-card.tsx'
import { say } from './words.ts'

/** Says that the page was opened without the token of the mailed link. */
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
