import { afterEach, describe, expect, test } from 'bun:test'
import { type FakeSmtp, startFakeSmtp } from '../testing/fakes/smtp.ts'
import { createMailTransport, MailError, type MailSettings } from './mail.ts'

// A certificate for localhost, made for this file only.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsLSOniW92c9KOFfv
Xq7gU6G5e37zbUQNT/RI2uk+TDmhRANCAAQWxt/qBij//VFrS9Rz25k3OBKKd6yR
IIPKOIa2fwotQlQ4zmZ9hhfNSiFFZ4dAO1/T0V1XQckSO7ya5JwQGqsh
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUVhqzH6WolXt1HKtMtWgtiH0avBwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAwNDk0MVoYDzIxMjYxMDI4
MDA0OTQxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQWxt/qBij//VFrS9Rz25k3OBKKd6yRIIPKOIa2fwotQlQ4zmZ9hhfN
SiFFZ4dAO1/T0V1XQckSO7ya5JwQGqsho2kwZzAdBgNVHQ4EFgQUeGoWaUECSFej
naAoentyzC5wNiowHwYDVR0jBBgwFoAUeGoWaUECSFejnaAoentyzC5wNiowDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgUSWKj9Gdlt7+lp/odzwGGKowIuRZmVN4vPC4sIc9a+UCIQCu8Wied8xG
ux8nuC9LXeVUtl13dNSLjRG75IT/6owlGg==
-----END CERTIFICATE-----`

let smtp: FakeSmtp | undefined
afterEach(async () => {
  await smtp?.stop()
  smtp = undefined
})

const start = async (options: Parameters<typeof startFakeSmtp>[0] = {}, settings: Partial<MailSettings> = {}) => {
  const started = await startFakeSmtp(options)
  smtp = started
  const mail = createMailTransport({
    host: started.host,
    port: started.port,
    from: 'Desk <desk@broker.test>',
    ...settings,
  })
  return { smtp: started, mail }
}

const failure = async (work: Promise<void>): Promise<MailError> => {
  try {
    await work
  } catch (error) {
    if (error instanceof MailError) return error
    throw error
  }
  throw new Error('the mail was sent')
}

const invite = { to: 'ann@client.test', subject: 'Your invitation', text: 'Hello' }

describe('mail', () => {
  test('a mail delivers sender, recipient, subject and text as written', async () => {
    const { smtp, mail } = await start()
    const link = `https://crm.broker.test/invite?token=${'a1=b&'.repeat(40)}`
    const text = `Grüße 🔑\n\n.a line with a dot\n${link}\nend`
    await mail.send({ to: 'ann@client.test', subject: 'Übersicht – your invitation', text })
    expect(smtp.mails.length).toBe(1)
    expect(smtp.mails[0]).toMatchObject({ from: 'desk@broker.test', to: ['ann@client.test'], text, user: undefined })
    expect(smtp.mails[0]?.headers).toMatchObject({ from: 'Desk <desk@broker.test>', to: 'ann@client.test' })
    expect(smtp.mails[0]?.headers.subject).toMatch(/^=\?UTF-8\?/)
    expect(smtp.mails[0]?.headers['content-type']).toMatch(/^text\/plain; charset=utf-8/)
  })

  test('a line break in the subject makes no header', async () => {
    const { smtp, mail } = await start()
    await mail.send({ ...invite, subject: 'Hi\r\nBcc: eve@evil.test' })
    expect(smtp.mails[0]?.headers.bcc).toBeUndefined()
    expect(smtp.mails[0]?.to).toEqual(['ann@client.test'])
  })

  test.each([
    '',
    'ann',
    'a@b.test, c@d.test',
    'a@b.test;c@d.test',
    'Ann <a@b.test>',
    'a@b.test\r\nRCPT TO:<c@d.test>',
    'a b@c.test',
    'a@b@c.test',
    'group:a@b.test',
    '"a"@b.test',
  ])('%j is not one recipient', async (to) => {
    const { smtp, mail } = await start()
    expect((await failure(mail.send({ ...invite, to }))).permanent).toBe(true)
    expect(smtp.commands).toEqual([])
  })

  test('it signs in; a wrong password is an error without the password', async () => {
    const { smtp, mail } = await start({ password: 'right' }, { user: 'desk', password: 'right' })
    await mail.send(invite)
    expect(smtp.mails[0]?.user).toBe('desk')
    const wrong = createMailTransport({
      host: smtp.host,
      port: smtp.port,
      from: 'a@b.test',
      user: 'desk',
      password: 'hunter2',
    })
    const error = await failure(wrong.send(invite))
    expect([error.permanent, error.message.includes('hunter2'), smtp.mails.length]).toEqual([true, false, 1])
  })

  test('a password is never sent over an unencrypted connection to another machine', async () => {
    const { smtp, mail } = await start({ password: 'right' }, { host: '0.0.0.0', user: 'desk', password: 'right' })
    await failure(mail.send(invite))
    expect(smtp.commands.some((line) => line.startsWith('AUTH'))).toBe(false)
  })

  test('refusals are permanent or temporary', async () => {
    const { smtp, mail } = await start()
    smtp.answers.RCPT = '550 5.1.1 no such user'
    expect((await failure(mail.send(invite))).permanent).toBe(true)
    smtp.answers.RCPT = '451 4.3.0 later'
    expect((await failure(mail.send(invite))).permanent).toBe(false)
    delete smtp.answers.RCPT
    smtp.answers['.'] = '452 4.3.1 full'
    expect((await failure(mail.send(invite))).permanent).toBe(false)
    expect(smtp.mails).toEqual([])
  })

  test.each(['connect', 'EHLO', 'MAIL', 'DATA', '.'])('a relay that falls silent at %s', async (verb) => {
    const { smtp, mail } = await start({}, { connectTimeoutMs: 500, totalTimeoutMs: 200 })
    smtp.answers[verb] = 'silence'
    expect((await failure(mail.send(invite))).permanent).toBe(false)
  })

  test('an absent relay is a temporary error', async () => {
    const { smtp, mail } = await start()
    await smtp.stop()
    expect((await failure(mail.send(invite))).permanent).toBe(false)
  })

  test('TLS from the first byte is used only with a certificate that can be checked', async () => {
    const { smtp, mail } = await start(
      { tls: { key, cert } },
      { host: 'localhost', secure: true, trustedCertificates: cert },
    )
    await mail.send(invite)
    expect(smtp.mails.length).toBe(1)
    const strict = createMailTransport({ host: 'localhost', port: smtp.port, from: 'a@b.test', secure: true })
    await failure(strict.send(invite))
    expect(smtp.mails.length).toBe(1)
  })
})
