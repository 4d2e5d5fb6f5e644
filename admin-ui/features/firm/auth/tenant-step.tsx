import { Anchor, Stack, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { FormNotice } from '../../../components/forms/form-modal.tsx'
import type { TenantChoice } from './auth.api.ts'
import { AuthCard } from './auth-card.tsx'
import { say } from './words.ts'

type TenantStepProps = {
  tenants: TenantChoice[]
  submit: (slug: string) => Promise<unknown>
  onBack: () => void
}

/** Asks which firm to sign in to, when one e-mail address belongs to several. */
export const TenantStep = ({ tenants, submit, onBack }: TenantStepProps) => {
  const choose = useMutation({ mutationFn: submit, meta: { public: true } })
  return (
    <AuthCard
      title={say('auth.firm.title')}
      intro={say('auth.firm.about')}
      foot={
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {say('auth.start_again')}
        </Anchor>
      }
    >
      <Stack gap="xs">
        {tenants.map(({ slug, name }) => (
          <UnstyledButton key={slug} className="choice" disabled={choose.isPending} onClick={() => choose.mutate(slug)}>
            <span>
              <b>{name}</b>
              <small>{slug}</small>
            </span>
            <IconChevronRight size={16} aria-hidden />
          </UnstyledButton>
        ))}
        <FormNotice error={choose.error} conflict={null} />
      </Stack>
    </AuthCard>
  )
}
