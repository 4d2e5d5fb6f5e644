-- The language in which a colleague reads the console and gets mail; none until they choose one.
ALTER TABLE users ADD COLUMN locale TEXT;
