/** A setting of the program: `name` is the flag (`--data-dir`), `BROKERBASE_DATA_DIR` the variable; flags win. */
export type Setting = {
  name: string
  fallback: string
  /** The text of `--help`; `src/manual/configuration.md` has more. */
  help: string
  /** A secret may also come from a file named by `BROKERBASE_…_FILE`, and is never printed. */
  secret?: boolean
  /** Whether it is also a command-line flag. */
  flag?: boolean
}

export const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'
export const LETS_ENCRYPT_STAGING = 'https://acme-staging-v02.api.letsencrypt.org/directory'

export const SETTINGS = [
  { name: 'data-dir', fallback: './data', flag: true, help: 'directory of the databases and the key' },
  { name: 'port', fallback: '3000', flag: true, help: 'TCP port; 0 takes a free one' },
  { name: 'host', fallback: '127.0.0.1', flag: true, help: 'address to listen on' },
  { name: 'public-url', fallback: '', help: 'address people use, for links in mails; default http://localhost:PORT' },
  { name: 'tls-cert', fallback: '', help: 'file of a PEM certificate with its chain; with it the port speaks https' },
  { name: 'tls-key', fallback: '', help: 'file of the certificate’s PEM key' },
  {
    name: 'http-port',
    fallback: '',
    help: 'beside https, a port that leads there and answers the certificate authority, such as 80; none by default',
  },
  { name: 'acme', fallback: 'false', help: 'true gets and renews a certificate, and agrees to its authority’s terms' },
  { name: 'acme-email', fallback: '', help: 'address that the certificate authority may write to' },
  {
    name: 'acme-directory',
    fallback: LETS_ENCRYPT,
    help: 'ACME directory of the certificate authority',
  },
  { name: 'acme-staging', fallback: 'false', help: 'true tries it with Let’s Encrypt’s test authority' },
  {
    name: 'allowed-hosts',
    fallback: '',
    help: 'further host names to answer to, comma-separated (tenants’ domains are always answered)',
  },
  {
    name: 'allowed-origins',
    fallback: '',
    help: 'browser origins that may call the API from elsewhere (CORS), comma-separated; none by default',
  },
  { name: 'trusted-proxies', fallback: '', help: 'networks whose X-Forwarded-For is believed, comma-separated CIDRs' },
  { name: 'allowed-networks', fallback: '', help: 'private networks that webhooks may reach, comma-separated CIDRs' },
  {
    name: 'secret-key',
    fallback: '',
    secret: true,
    help: '32 bytes as base64; default: made and kept in DATA_DIR/secret.key',
  },
  { name: 'rate-short', fallback: '20', help: 'requests per second and caller; 0 turns the tier off' },
  { name: 'rate-medium', fallback: '300', help: 'requests per minute and caller; 0 turns the tier off' },
  { name: 'rate-long', fallback: '5000', help: 'requests per hour and caller; 0 turns the tier off' },
  { name: 'session-hours', fallback: '12', help: 'hours without use after which a session ends' },
  { name: 'smtp-host', fallback: '', help: 'mail server; without one, mails are held and shown in the console' },
  { name: 'smtp-port', fallback: '587', help: 'port of the mail server' },
  { name: 'smtp-user', fallback: '', help: 'user at the mail server' },
  { name: 'smtp-password', fallback: '', secret: true, help: 'password at the mail server' },
  {
    name: 'smtp-secure',
    fallback: 'false',
    help: 'TLS from the first byte (port 465); otherwise STARTTLS where offered',
  },
  { name: 'smtp-from', fallback: 'Brokerbase <no-reply@localhost>', help: 'sender of mails' },
  {
    name: 'graph-url',
    fallback: 'https://graph.facebook.com',
    help: 'address of the ad platform’s Graph API, without the version',
  },
  { name: 'graph-version', fallback: 'v24.0', help: 'version of the Graph API that is called' },
  {
    name: 'replica-url',
    fallback: '',
    help: 'where the databases are replicated to: file:///backup, sftp://user@host/path or s3://bucket/path?endpoint=https://…',
  },
  { name: 'replica-access-key-id', fallback: '', secret: true, help: 'id of the key that opens the bucket' },
  { name: 'replica-secret-access-key', fallback: '', secret: true, help: 'the key that opens the bucket' },
  { name: 'replica-ssh-key', fallback: '', secret: true, help: 'the private SSH key of the user of an SFTP replica' },
  {
    name: 'replica-host-key',
    fallback: '',
    help: 'the public key of its host, as `ssh-keyscan -t ecdsa HOST` prints it after the name (ed25519 where it has no such)',
  },
  {
    name: 'replica-wait',
    fallback: 'off',
    help: 'which answers leave only once the replica has what they tell of: off, money or all',
  },
  {
    name: 'replica-wait-failure',
    fallback: 'refuse',
    help: 'what becomes of those while the replica is out of reach: refuse (503) or degrade (they leave without it)',
  },
  {
    name: 'standby-from',
    fallback: '',
    help: 'place that a standby follows, in the form of the replica’s; default: that of the replica',
  },
  {
    name: 'standby-max-age',
    fallback: '3600',
    help: 'seconds that a standby’s copy may be old; it answers nothing from an older one',
  },
  {
    name: 'read-from',
    fallback: '',
    help: 'address of a standby that does heavy reads for this server, such as https://10.0.0.2:8443; none by default',
  },
  {
    name: 'read-max-age',
    fallback: '60',
    help: 'seconds that the standby’s copy may be old for such reads; otherwise they are done here',
  },
  {
    name: 'parquet-to',
    fallback: '',
    help: 'where files for analysis are put each night: a directory or s3://bucket/path?endpoint=https://…; none by default',
  },
  {
    name: 'recovery-passphrase',
    fallback: '',
    secret: true,
    help: 'with it the key also lies beside the replica, sealed; whoever guesses it and has the replica reads all',
  },
  {
    name: 'events-url',
    fallback: '',
    help: 'a NATS JetStream that every event goes to: nats://host[,host…][:port]/STREAM, or tls://…',
  },
  { name: 'events-creds', fallback: '', secret: true, help: 'the credentials file of this server at NATS' },
  { name: 'events-user', fallback: '', help: 'user at NATS, where there are no credentials files' },
  { name: 'events-password', fallback: '', secret: true, help: 'password at NATS' },
  { name: 'litestream', fallback: '', flag: true, help: 'a Litestream of 0.5.18 or later in place of the one inside' },
  {
    name: 'metrics-token',
    fallback: '',
    secret: true,
    help: 'opens /metrics to other machines: `Authorization: Bearer …`; without it only this machine is answered',
  },
  {
    name: 'docs',
    fallback: 'public',
    help: 'who reads the explorer and the guide at /docs: public, staff (signed in, or by a key) or off',
  },
  {
    name: 'security-contact',
    fallback: '',
    help: 'who hears of a vulnerability here, for /.well-known/security.txt: mailto:… or https://…; none by default',
  },
  { name: 'log-level', fallback: 'info', help: 'debug, info, warn or error' },
] as const satisfies readonly Setting[]

export type SettingName = (typeof SETTINGS)[number]['name']
