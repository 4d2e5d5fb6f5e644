-- What whoever brought a file said of all its lines: the line of the heads, the currency of lines that name none, and how
-- days and amounts are read.
ALTER TABLE imports ADD COLUMN reading TEXT NOT NULL DEFAULT '{}';
