//! What a scenario puts into its kernel: taken with the kernel changed, or refused with field and file.

use expect_test::expect;

use super::*;

/// A scenario of 2.6.12 with this, as JSON.
fn with(instrumentation: &str) -> String {
    format!(
        r#"{{"machine":"p4-1.6","kernel":"2.6.12",{instrumentation}"workload":"iperf","duration_us":1000,"seed":1}}"#
    )
}

/// Functions and base cycles of a path.
fn steps(kernel: &Kernel, path: &str) -> String {
    let told = kernel.paths[path].iter();
    let told = told.map(|step| format!("{} {}", step.function, step.cycles));
    told.collect::<Vec<_>>().join(", ")
}

#[test]
fn what_is_chosen_is_in_the_kernel_and_else_it_is_not() {
    let catalogue = shipped();
    let chosen = ["receive-path-2006".to_owned()];
    let kernel = |chosen: &[String]| catalogue.instrumented("2.6.12", chosen).unwrap();
    expect!["netif_receive_skb 385"].assert_eq(&steps(&kernel(&[]), "netif_receive"));
    expect!["netif_receive_skb 385, instrumentation 1700"]
        .assert_eq(&steps(&kernel(&chosen), "netif_receive"));
    expect!["Linux 2.6.12, preemptible + instrumented receive path of 2006"]
        .assert_eq(&kernel(&chosen).title);
    let scenario = Scenario::parse(
        &with(r#""instrumentation":["receive-path-2006"],"#),
        &catalogue,
    );
    assert_eq!(scenario.unwrap().instrumentation, chosen);
}

/// A kernel put in the place of another is that other's successor with instrumentation too: what is put into
/// it comes on top of what it says, not on top of the file that it replaced.
#[test]
fn what_takes_a_kernels_place_is_what_instrumentation_is_put_into() {
    let mut catalogue = shipped();
    let mut fields = Catalogue::fields("kernels/2.6.12").unwrap();
    fields["tick_hz"] = 100.into();
    fields["paths"]["netif_receive"][0]["cycles"] = 400.into();
    catalogue.put_kernel(fields).unwrap();
    for chosen in [vec![], vec!["receive-path-2006".to_owned()]] {
        let kernel = catalogue.instrumented("2.6.12", &chosen).unwrap();
        assert_eq!(kernel.tick_hz, 100, "with {chosen:?}");
        assert!(steps(&kernel, "netif_receive").starts_with("netif_receive_skb 400"));
    }
}

#[test]
fn what_does_not_fit_is_refused_with_what_does() {
    let catalogue = shipped();
    let answers: String = [
        with(r#""instrumentation":["kperf-2005"],"#),
        with(r#""instrumentation":["receive-path-2006","receive-path-2006"],"#),
        with(r#""instrumentation":"receive-path-2006","#),
        with(r#""instrumentation":[],"#),
        with(r#""instrumentation":["x"],"#).replace("2.6.12", "2.4.20"),
    ]
    .iter()
    .map(|text| match Scenario::parse(text, &catalogue) {
        Ok(_) => "taken\n".to_owned(),
        Err(error) => error.to_string() + "\n",
    })
    .collect();
    expect![[r#"
        instrumentation.0 is "kperf-2005", must be some of receive-path-2006, each once
        instrumentation.1 is "receive-path-2006", must be some of receive-path-2006, each once
        instrumentation is "receive-path-2006", must be some of receive-path-2006, each once
        taken
        instrumentation.0 is "x", must be absent: there is none for 2.4.20
    "#]]
    .assert_eq(&answers);
}

/// Scenarios of old say `probes` alone, as the kernels' own files had the points then.
#[test]
fn probes_without_instrumentation_are_those_of_the_kernel() {
    let catalogue = shipped();
    let parsed = |kernel: &str, more: &str| {
        let text = format!(
            r#"{{"machine":"p4-1.6","kernel":"{kernel}"{more},"workload":"iperf","settings":{{"probes":true}},"duration_us":1000,"seed":1}}"#
        );
        Scenario::parse(&text, &catalogue).map(|it| it.instrumentation)
    };
    assert_eq!(parsed("2.6.9", "").unwrap(), ["kperf-2005"]);
    assert_eq!(parsed("6.1", "").unwrap(), ["kperf-kprobes"]);
    assert_eq!(parsed("2.6.12", "").unwrap(), [""; 0]);
    let none = parsed("2.6.9", r#","instrumentation":[]"#).unwrap_err();
    expect![
        "instrumentation is [], must be some of kperf-2005, each once, as settings.probes is true"
    ]
    .assert_eq(&none.to_string());
}

#[test]
fn a_wrong_file_is_refused_with_its_place() {
    let file = |kernels: &str, changes: &str| {
        let text = format!(
            r#"{{"name":"i","title":"","about":"","kernels":{kernels},{changes}"sources":{{}}}}"#
        );
        let own = ("instrumentation/i.json".to_owned(), text);
        let error = Catalogue::with(&[own]).unwrap_err().to_string();
        // Which fields there are, the schema says.
        error.split(", expected one of").next().unwrap().to_owned() + "\n"
    };
    let answers = [
        file("[]", ""),
        file(r#"["7.0"]"#, ""),
        file(r#"["6.1"]"#, r#""speed":1,"#),
        file(r#"["6.1"]"#, r#""paths":{"bind":{"after":{"f":[]}}},"#),
        file(r#"["6.1","2.6.9"]"#, r#""paths":{"skb_build":{}},"#),
        file(
            r#"["6.1"]"#,
            r#""paths":{"bind":{"change":{"inet_bind":{"probe":"x"}}}},"#,
        ),
    ];
    expect![[r#"
        data/instrumentation/i.json: kernels: it fits none
        data/instrumentation/i.json: kernels.0: there is no 7.0
        data/instrumentation/i.json: on 6.1: instrumentation: speed: unknown field `speed`
        data/instrumentation/i.json: paths.bind.after.f: no step is of this function; there are inet_bind
        data/instrumentation/i.json: on 2.6.9: instrumentation.0: i: paths.skb_build: there is no path of this name to change
        data/instrumentation/i.json: on 6.1: instrumentation: paths.bind.0: inet_bind: no probe is called x
    "#]]
    .assert_eq(&answers.concat());
}
