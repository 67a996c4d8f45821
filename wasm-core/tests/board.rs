//! The scoreboard as it stands, study by study: what `ringside reproduce` prints, held
//! against `tests/board/`, which `UPDATE_EXPECT=1 cargo test --test board` rewrites. Who
//! changes the model sees here which published numbers moved.

use std::process::Command;

use expect_test::expect_file;

/// The board of a study, by the beginning of its entries' ids.
fn study(begin: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_ringside"))
        .args(["reproduce", begin])
        .output()
        .expect("the binary was built");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let board = String::from_utf8(output.stdout).expect("a board is text");
    let lines: Vec<&str> = board.lines().collect();
    for (line, next) in lines.iter().zip(&lines[1..]) {
        let is_missed = line.starts_with("    missed");
        let has_reason = next.starts_with(&" ".repeat(60));
        assert!(!is_missed || has_reason, "missed without a reason: {line}");
    }
    expect_file![format!("board/{begin}.txt")].assert_eq(&board);
}

#[test]
fn bhattacharya_apte_2006() {
    study("ba");
}

#[test]
fn anand_hartner_2002() {
    study("ah");
}

#[test]
fn goettingen_2005() {
    study("go");
}

#[test]
fn bryant_2000() {
    study("br");
}

#[test]
fn wu_crawford_2006() {
    study("wc");
}

#[test]
fn our_own_recordings() {
    study("own");
}
