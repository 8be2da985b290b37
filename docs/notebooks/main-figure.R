# Who passes for human? The main figure from an export, with nothing but R itself.
#
#   grintu export judgements --out export
#   GRINTU_EXPORT=export Rscript main-figure.R
#
# Reads judgements_joined.csv, one row per judgement with everything joined (codebook.md explains its columns), prints how often
# each strategy is judged human beside real humans, and writes main-figure.pdf and main-figure-table.csv into the folder.

folder <- Sys.getenv("GRINTU_EXPORT", "export")
game <- Sys.getenv("GRINTU_GAME", "jostle:standard")
judgements <- read.csv(file.path(folder, "judgements_joined.csv"), stringsAsFactors = FALSE, na.strings = "")
judgements <- judgements[judgements$game == game, ]

# The share of yes with its interval, clustered by judge: a judge answers several times, and answers of one judge resemble each
# other. Wilson's interval with the effective number of answers (docs/statistics.md, "Turing-test statistics").
clustered_share <- function(person, yes, level = 0.95) {
  trials <- tapply(rep(1, length(yes)), person, sum)
  said <- tapply(as.numeric(yes), person, sum)
  judges <- length(trials)
  n <- sum(trials)
  share <- sum(said) / n
  variance <- if (judges > 1) sum(((said - share * trials) / n)^2) * judges / (judges - 1) else Inf
  effective <- if (share %in% c(0, 1) || judges == 1) judges else if (variance == 0) n else min(n, share * (1 - share) / variance)
  z <- qt(0.5 + level / 2, max(judges - 1, 1))
  middle <- (share + z^2 / (2 * effective)) / (1 + z^2 / effective)
  reach <- z / (1 + z^2 / effective) * sqrt(share * (1 - share) / effective + z^2 / (4 * effective^2))
  c(judgements = n, judges = judges, share = share, low = max(0, middle - reach), high = min(1, middle + reach))
}

by_truth <- split(judgements, judgements$seat_truth)
figures <- as.data.frame(t(sapply(by_truth, function(rows) clustered_share(rows$person, rows$verdict == "human"))))
figures <- figures[order(figures$low), ]
print(round(figures, 3))
write.csv(cbind(seat_truth = rownames(figures), figures), file.path(folder, "main-figure-table.csv"), row.names = FALSE)

programs <- figures[rownames(figures) != "human", ]
humans <- figures[rownames(figures) == "human", ]
pdf(file.path(folder, "main-figure.pdf"), width = 8, height = 1.6 + 0.35 * nrow(programs))
par(mar = c(4.5, 16, 2.5, 1))
plot(
  programs$share, seq_len(nrow(programs)), xlim = c(0, 1), ylim = c(0.5, nrow(programs) + 0.5), pch = 15, col = "#2a55b5", yaxt = "n",
  xlab = "share judged human, with 95 % interval clustered by judge", ylab = "", main = "Which strategies pass for human?"
)
if (nrow(humans) == 1) {
  rect(humans$low, -1, humans$high, nrow(programs) + 2, col = "#cb3d1f26", border = NA)
  abline(v = humans$share, col = "#cb3d1f")
}
segments(programs$low, seq_len(nrow(programs)), programs$high, seq_len(nrow(programs)), col = "#2a55b5")
axis(2, at = seq_len(nrow(programs)), labels = rownames(programs), las = 1)
invisible(dev.off())
