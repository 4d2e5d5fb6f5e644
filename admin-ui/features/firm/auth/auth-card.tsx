import { Paper, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { say } from './words.ts'

type AuthCardProps = {
  title: string
  intro?: ReactNode
  children: ReactNode
  foot?: ReactNode
}

/** Frames each page that is shown before the console: sign-in, setup and required steps. */
export const AuthCard = ({ title, intro, children, foot }: AuthCardProps) => {
  useEffect(() => {
    document.title = say('parts.brokerbase', { title })
  }, [title])
  return (
    <main className="auth">
      <div className="auth-brand">
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <rect width="32" height="32" rx="8" fill="var(--mantine-primary-color-filled)" />
          <path
            d="M8 22.500 14 15l4.500 4L24 10.500"
            fill="none"
            stroke="#fff"
            strokeWidth="3"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
        {say('auth.brokerbase')}
      </div>
      <Paper className="auth-card">
        <Title order={1} mb={intro ? 4 : 'md'}>
          {title}
        </Title>
        {intro && (
          <Text size="sm" c="dimmed" mb="md">
            {intro}
          </Text>
        )}
        {children}
      </Paper>
      {foot && <div className="auth-foot">{foot}</div>}
    </main>
  )
}
