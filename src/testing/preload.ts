// A test never waits for a default time zone or a colour: both would differ between machines.
process.env.TZ = 'UTC'
