import { isAbsolute } from 'node:path'

/** Returns a value of a unit file as systemd parses it: quoted, with `%` doubled. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`

/**
 * Returns a systemd unit that runs this executable in a sandbox, for `brokerbase service print`. It needs no user: the
 * service makes its own, which owns /var/lib/brokerbase.
 */
export function printService(executable: string): string {
  if (!isAbsolute(executable)) throw new Error('a unit needs the whole path of the executable')
  return `# Brokerbase as a service of systemd:
#   brokerbase service print > /etc/systemd/system/brokerbase.service
#   systemctl daemon-reload && systemctl enable --now brokerbase
# Its settings are lines such as BROKERBASE_PUBLIC_URL=https://office.example.com in the EnvironmentFile below.
[Unit]
Description=Brokerbase, the back office of a brokerage
After=network-online.target
Wants=network-online.target
# it is started again however often it ends
StartLimitIntervalSec=0

[Service]
Type=exec
# on a second machine that follows this one: standby instead of serve, also after it took over
ExecStart=${quoted(executable)} serve
# looks for a new certificate, where https is spoken (BROKERBASE_TLS_CERT or BROKERBASE_ACME)
ExecReload=/bin/kill -HUP $MAINPID
Environment=BROKERBASE_DATA_DIR=/var/lib/brokerbase
EnvironmentFile=-/etc/brokerbase.env
# either of them would make another program of the executable
UnsetEnvironment=BUN_OPTIONS BUN_BE_BUN

# a user of its own, and a data directory that only this user opens
DynamicUser=yes
StateDirectory=brokerbase
StateDirectoryMode=0700
UMask=0077
WorkingDirectory=/var/lib/brokerbase

Restart=always
RestartSec=2
# SIGTERM finishes running requests within ten seconds, and takes half a minute where the replica does not answer;
# children end with the server
KillMode=mixed
TimeoutStopSec=45
# each connection is a file
LimitNOFILE=65536

# ports 80 and 443 without being root
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes

# everything but the data directory is read only, and what is not needed is not there; the replication engine is
# unpacked into the data directory and runs from there
ProtectSystem=strict
ProtectHome=${executable.startsWith('/home/') || executable.startsWith('/root/') ? 'read-only' : 'yes'}
# where a replica in a directory lies (BROKERBASE_REPLICA_URL=file:///mnt/backup): it must belong to the service, so
# take User=brokerbase in place of DynamicUser=yes
#ReadWritePaths=/mnt/backup
# where files for analysis go (BROKERBASE_PARQUET_TO=/analysis), which must belong to the service likewise
#ReadWritePaths=/analysis
# of its own, and never mounted with noexec: the password hash's native code is unpacked there and loaded
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
# UNIX: name look-ups, and what the children speak over
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native
# the children are put behind the server, and within limits
SystemCallFilter=@system-service @resources
SystemCallErrorNumber=EPERM
# must stay off: JavaScript is compiled into memory that is written and then run
MemoryDenyWriteExecute=no

[Install]
WantedBy=multi-user.target
`
}
